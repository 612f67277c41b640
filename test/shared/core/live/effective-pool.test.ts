import { checkParts } from '../../../../shared/core/live/check-parts';
import { effectiveConfig, effectiveHeadroom } from '../../../../shared/core/live/effective-pool';
import type { Kept, KeptSchedule } from '../../../../shared/core/live/kept-parts';
import { liveSchedules } from '../../../../shared/core/live/live-schedules';
import type { LiveConfigMap } from '../../../../shared/core/live/live-text';
import { keepLive } from '../../../../shared/core/live/update-kept';
import { golden } from '../../../golden/golden';
import { load, pool } from '../config/config-text';

const said = golden(`${__dirname}/effective-pool.txt`);

const NOW = Date.parse('2026-11-17T09:00:00Z');
const [AT, NOW_TEXT] = ['2026-11-17T08:00:00.000Z', '2026-11-17T09:00:00.000Z'];
const SEEN = { kind: 'text', hash: '1-b', key: 'live.yaml', text: '', by: 'bo', at: NOW_TEXT } as const;
const EDIT = { by: 'ana', at: AT };
const TIMES = { timezone: 'UTC', start: '0 9 * * *', end: '0 12 * * *' };

const window = (name: string, size: object = { desiredReplicas: 2 }) => ({ name, ...TIMES, ...size });
const deployed = (...lines: string[]) => load(pool('max: 5', 'leadTime: 5m', ...lines)).config;
const written = (...windows: object[]) => `schedules: ${JSON.stringify(windows)}`;
const kept = (schedules?: object[], more: Partial<Kept> = {}): Kept => ({
  hash: '1-a',
  ...EDIT,
  ...(schedules && { schedules: schedules.map((one) => ({ ...one, edit: EDIT })) as KeptSchedule[] }),
  ...more,
});
function effective(config: ReturnType<typeof deployed>, live: Kept | undefined) {
  const [first] = config.headrooms;
  if (!first) throw new Error('no NodePool');
  return effectiveHeadroom(first, live, { ...config, heartbeatSeconds: 120 });
}

describe('live schedules on top of what is deployed', () => {
  const two = deployed('base: 1', written(window('a'), window('b')));
  const source = { since: Date.parse(AT), by: 'ana', earlyMinutes: 2 };

  test.each([
    { name: 'nothing is kept', live: undefined },
    { name: 'nothing valid is kept', live: kept() },
  ])('count for nothing where $name', ({ live }) => {
    expect(effective(two, live)).toEqual({ pool: two.headrooms[0], replaced: [], notes: [] });
  });

  test('replace base, and leave windows alone', () => {
    const { pool: found, ...rest } = effective(two, kept(undefined, { base: 0 }));
    expect(found).toEqual({ ...two.headrooms[0], base: 0, liveBase: source });
    expect(rest).toEqual({ replaced: [], notes: [] });
  });

  test('replace, add and take out windows, and leave base alone', () => {
    const live = kept([window('b', { desiredReplicas: 3 }), window('c'), { name: 'a', remove: true }]);
    const { pool: found, ...rest } = effective(two, live);
    expect(found.windows.map(({ name, replicas, live: from }) => ({ name, replicas, from }))).toEqual([
      { name: 'b', replicas: 3, from: source },
      { name: 'c', replicas: 2, from: source },
    ]);
    expect(found).not.toHaveProperty('liveBase');
    expect([found.base, rest]).toEqual([1, { replaced: ['b', 'a'], notes: [] }]);
  });

  test('that are none take out all', () => {
    const { pool: found, ...rest } = effective(two, kept([]));
    expect([found.windows, rest]).toEqual([[], { replaced: ['a', 'b'], notes: [] }]);
  });

  test('need no heartbeat more where the lead time is learned, which has one', () => {
    const auto = load(pool('max: 5', 'leadTime: auto')).config;
    expect(effective(auto, kept([window('a')])).pool.windows[0]?.live?.earlyMinutes).toBe(0);
  });

  test('exclude the dates of the deployed calendars, and nothing by a name that is not deployed', () => {
    const calendars = { kr: ['2026-12-25', '2026-12-31'], jp: [] };
    const live = kept([
      window('a', { desiredReplicas: 2, excludeDates: ['2026-12-31', 'kr', 'us', 'jp', 'toString'] }),
    ]);
    const found = effective({ ...two, calendars }, live);
    expect(found.pool.windows).toMatchObject([{}, { name: 'b' }]);
    expect(found.pool.windows[0]).toMatchObject({ name: 'a', excludeDates: ['2026-12-31', '2026-12-25'] });
    expect(found.notes).toEqual([
      'a excludes nothing by us: no calendar of that name is deployed',
      'a excludes nothing by toString: no calendar of that name is deployed',
    ]);
  });

  test('name what has no effect, and what asks for more than max', () => {
    const live = kept(
      [{ name: 'z', remove: true }, window('c', { desiredReplicas: 6 }), window('d', { desiredReplicas: 5 })],
      {
        base: 6,
      },
    );
    expect(effective(two, live).notes).toEqual([
      'no window z is deployed that it could take out',
      'base asks for 6, above the deployed max 5',
      'c asks for 6, above the deployed max 5',
    ]);
    const above = deployed('base: 5', written(window('a', { desiredReplicas: 5 })));
    const lowered = { ...above, headrooms: above.headrooms.map((one) => ({ ...one, max: 4 })) };
    expect(effective(lowered, kept([window('b')])).notes).toEqual([]);
    expect(effective(above, kept([], { base: 5 })).notes).toEqual([]);
  });
});

describe('live schedules that could not have been deployed do not count', () => {
  const many = (count: number, size: object) => Array.from({ length: count }, (_, i) => window(`w${i}`, size));
  const FLOOR = 'unit: {floor: {cpu: 4}}';
  const event = (size: object) =>
    `events: ${JSON.stringify([{ name: 'e', pattern: { source: ['s'] }, hold: '5m', ...size }])}`;
  const auto = (...lines: string[]) => load(pool('max: 5', 'leadTime: auto', ...lines)).config;
  const [added, desired] = [{ addNodes: 1 }, { desiredReplicas: 1 }];

  // What is said is in effective-pool.txt.
  test.each([
    { name: 'nodes to add without a floor', config: deployed(), live: [window('x', added)] },
    { name: '26 that add nodes', config: deployed(FLOOR), live: many(26, added) },
    {
      name: '14 beside announced peaks, all with nodes to add',
      config: deployed(FLOOR, event(added)),
      live: many(14, added),
    },
    { name: '26 of a learned lead time', config: auto(), live: many(26, desired) },
    {
      name: '14 of a learned lead time, beside announced peaks',
      config: auto(event(desired)),
      live: many(14, desired),
    },
    { name: 'one whose cron cannot be read', config: deployed(), live: [{ ...window('x'), start: 'soon' }] },
  ])('$name', ({ name, config, live }) => {
    const { problem = '', ...found } = effective(config, kept(live));
    expect(found).toEqual({ pool: config.headrooms[0], replaced: [], notes: [] });
    said(name, problem);
  });

  test.each([
    { name: '25 that add nodes', config: deployed(FLOOR), live: many(25, added) },
    {
      name: '13 beside announced peaks, all with nodes to add',
      config: deployed(FLOOR, event(added)),
      live: many(13, added),
    },
    { name: '14 that add nodes, beside other peaks', config: deployed(FLOOR, event(desired)), live: many(14, added) },
    { name: '25 of a learned lead time', config: auto(), live: many(25, desired) },
    { name: '26 of a lead time that is written', config: deployed(), live: many(26, desired) },
  ])('but $name do', ({ config, live }) => {
    const { problem, pool: found } = effective(config, kept(live));
    expect([problem, found.windows.length]).toEqual([undefined, live.length]);
  });

  test('more than a record holds', () => {
    const alarms = Array.from({ length: 158 }, (_, i) => ({ alarmName: `${i}`.padEnd(200, 'a'), add: 1 }));
    const full = deployed(`alarms: ${JSON.stringify(alarms)}`, 'interruptions: {max: 40}');
    expect(effective(full, kept([window('x'.repeat(60))])).problem).toMatch(
      /^the record could take \d{5} bytes, more than 57344; write fewer windows or shorter names$/,
    );
  });

  test('and every other NodePool goes on', () => {
    const config = load('cluster: {name: a, region: eu-west-1}\nnodePools: {a: {max: 5}, b: {max: 5}}').config;
    const found = effectiveConfig(config, (name) => (name === 'b' ? kept(undefined, { base: 3 }) : undefined));
    expect(found.headrooms.map(({ base }) => base)).toEqual([0, 3]);
    const parts = new Map([
      ['b', { base: 6 }],
      ['c', { base: 1 }],
      ['a', { schedules: [window('x', added) as never] }],
    ]);
    const checked = checkParts(parts, config, EDIT);
    expect(checked.problems).toEqual([
      'nodePools.b: base asks for 6, above the deployed max 5',
      'nodePools.c is not in the config; write one of a, b',
      'nodePools.a: x has addNodes, which requires a floor, and a is deployed as node',
    ]);
    expect(checked.config.headrooms.map(({ base }) => base)).toEqual([0, 6]);
  });
});

describe('what is kept of a text', () => {
  const before = kept([window('a')], { base: 1 });
  const REFUSED = { hash: '1-b', ...EDIT, problem: 'old' };
  const valid = async () => ({ ok: true as const, parts: new Map([['web', { base: 7 }]]), undeployed: [] });
  const never = async () => Promise.reject(new Error('not asked'));
  const keep = (change: object) =>
    keepLive({ headroom: 'web', kept: before, seen: SEEN, now: NOW, again: false, compile: valid, ...change });
  const BROKEN = { kind: 'broken', hash: '1-x', problem: 'bad', by: 'bo', at: NOW_TEXT } as const;
  const brokenRefusal = { hash: '1-x', by: 'bo', at: NOW_TEXT, problem: 'bad' };
  const UNREAD = { kind: 'unread', problem: '403' } as const;
  const unread = { since: NOW_TEXT, problem: '403' };

  test.each([
    { name: 'a new text', change: {}, result: { hash: '1-b', by: 'bo', at: NOW_TEXT, base: 7 } },
    {
      name: 'a new text about other NodePools',
      change: { headroom: 'ci' },
      result: { hash: '1-b', by: 'bo', at: NOW_TEXT },
    },
    { name: 'the first text', change: { kept: undefined }, result: { hash: '1-b', by: 'bo', at: NOW_TEXT, base: 7 } },
    { name: 'the text that counts', change: { seen: { ...SEEN, hash: '1-a' }, compile: never }, result: before },
    {
      name: 'the text that counts, after a refused one and a time without',
      change: { kept: { ...before, goneSince: AT, refused: REFUSED }, seen: { ...SEEN, hash: '1-a' }, compile: never },
      result: before,
    },
    {
      name: 'the text that counts, read again by a deploy',
      change: { seen: { ...SEEN, hash: '1-a' }, again: true },
      result: { hash: '1-a', ...EDIT, base: 7 },
    },
    {
      name: 'the refused text',
      change: { kept: { ...before, refused: REFUSED }, compile: never },
      result: { ...before, refused: REFUSED },
    },
    {
      name: 'the refused text, read again by a deploy',
      change: { kept: { ...before, refused: REFUSED }, again: true },
      result: { hash: '1-b', by: 'bo', at: NOW_TEXT, base: 7 },
    },
    {
      name: 'the refused text, refused again by a deploy',
      change: {
        kept: { ...before, refused: REFUSED },
        again: true,
        compile: async () => ({ ok: false, problem: 'new' }),
      },
      result: { ...before, refused: REFUSED },
    },
    {
      name: 'a broken ConfigMap',
      change: { seen: BROKEN, compile: never },
      result: { ...before, refused: brokenRefusal },
    },
    {
      name: 'the first broken ConfigMap',
      change: { seen: BROKEN, kept: undefined, compile: never },
      result: { hash: '', by: 'bo', at: NOW_TEXT, refused: brokenRefusal },
    },
    {
      name: 'a broken ConfigMap after a time without',
      change: { seen: BROKEN, kept: { ...before, goneSince: AT } },
      result: { ...before, refused: brokenRefusal },
    },
    {
      name: 'one that could not be looked for, after a time without',
      change: { seen: UNREAD, kept: { ...before, goneSince: AT } },
      result: { ...before, goneSince: AT, unread },
    },
    {
      name: 'one that could not be looked for',
      change: { seen: UNREAD },
      result: { ...before, unread },
    },
    {
      name: 'one that could not be looked for again, for another reason',
      change: {
        seen: { ...UNREAD, problem: 'timed out after 3.2 s' },
        kept: { ...before, unread: { ...unread, since: AT } },
      },
      result: { ...before, unread: { ...unread, since: AT } },
    },
    {
      name: 'one that could not be looked for since a time that nobody has written',
      change: { seen: UNREAD, kept: { ...before, unread: { ...unread, since: '2099-01-01T00:00:00.000Z' } } },
      result: { ...before, unread },
    },
    {
      name: 'one that could not be looked for, before anything was kept',
      change: { seen: UNREAD, kept: undefined },
      result: { hash: '', by: '', at: NOW_TEXT, unread },
    },
    {
      name: 'one that could not be looked for, with a refused text',
      change: { seen: UNREAD, kept: { ...before, refused: brokenRefusal } },
      result: { ...before, refused: brokenRefusal, unread },
    },
  ])('of $name', async ({ change, result }) => {
    expect(await keep(change)).toStrictEqual(result);
  });
});

describe('live schedules of a cluster', () => {
  const config = deployed('base: 1');
  const [web] = config.headrooms;
  if (!web) throw new Error('no NodePool');
  const answering = (found: LiveConfigMap | undefined | Error) =>
    liveSchedules(config, async () => {
      if (found instanceof Error) throw found;
      return found;
    });
  const textOf = (text: string): LiveConfigMap => ({ data: { 'live.yaml': text }, binaryKeys: [], edit: EDIT });

  test('are read only where somebody may read them', async () => {
    expect(liveSchedules(config).read).toBeUndefined();
    expect(await answering(undefined).read?.(NOW)).toEqual({ kind: 'gone' });
    expect(await answering(textOf('x')).read?.(NOW)).toMatchObject({
      kind: 'text',
      key: 'live.yaml',
      text: 'x',
      ...EDIT,
    });
    expect(await answering(new Error('403')).read?.(NOW)).toMatchObject({
      problem: 'ConfigMap headroom-schedules cannot be read: 403',
    });
  });

  test('that nobody looked for are what is kept, which is passed on as it is', async () => {
    const annotation = ` ${JSON.stringify(kept(undefined, { base: 3 }))}`;
    const found = await liveSchedules(config).effective({ pool: web, annotation, now: NOW });
    expect(found).toEqual({
      pool: { ...web, base: 3, liveBase: { since: Date.parse(AT), by: 'ana', earlyMinutes: 1 } },
      replaced: [],
      notes: [],
      reasons: [],
      kept: kept(undefined, { base: 3 }),
      annotation,
    });
    expect(await liveSchedules(config).effective({ pool: web, annotation: undefined, now: NOW })).toEqual({
      ...{ pool: web, replaced: [], notes: [], reasons: [] },
    });
  });

  async function seen(text: string, before?: Kept, isDeploy?: boolean) {
    const live = answering(textOf(text));
    const annotation = before && JSON.stringify(before);
    const look = await live.read?.(NOW);
    return live.effective({ pool: web as never, annotation, seen: look, now: NOW, ...(isDeploy && { isDeploy }) });
  }

  test('that are new count at once and are kept', async () => {
    const found = await seen('nodePools: {web: {base: 4}, x: {base: 1}, y: {}}');
    expect(found).toMatchObject({
      pool: { base: 4 },
      notes: ['no headroom of these names is deployed: x, y'],
      reasons: [],
    });
    expect(found).not.toHaveProperty('news');
    expect(JSON.parse(found.annotation ?? '')).toEqual(found.kept);
    expect(found.kept).toMatchObject({ ...EDIT, base: 4, undeployed: ['x', 'y'] });
    expect(found).not.toHaveProperty('problem');
  });

  test('that are wrong are refused once, with the line, and what is kept goes on', async () => {
    const problem =
      'live.yaml:1:19: nodePools.web.base is "x"; write a whole number from 0 to 5000, in the line "nodePools: {web: {base: x}}"';
    const first = await seen('nodePools: {web: {base: x}}', kept(undefined, { base: 2 }));
    expect(first).toMatchObject({ pool: { base: 2 }, problem, news: problem });
    expect(first.reasons).toEqual([`live schedules of ${AT} refused, those of ${AT} count: ${problem}`]);
    const second = await seen('nodePools: {web: {base: x}}', first.kept);
    expect([second.news, second.annotation]).toEqual([undefined, first.annotation]);
    const never = await seen('nodePools: {web: {base: x}}');
    expect(never.reasons).toEqual([`live schedules of ${AT} refused, what is deployed counts: ${problem}`]);
  });

  test('that cannot count say so', async () => {
    const found = await seen(`nodePools: {web: {schedules: ${JSON.stringify([window('x', { addNodes: 1 })])}}}`);
    const problem = 'x has addNodes, which requires a floor, and web is deployed as node';
    expect(found).toMatchObject({ pool: web, problem, reasons: [`live schedules do not count: ${problem}`] });
  });

  test('that are gone count for two minutes more', async () => {
    const annotation = JSON.stringify(kept(undefined, { base: 3 }));
    const live = answering(undefined);
    const found = await live.effective({ pool: web, annotation, seen: { kind: 'gone' }, now: NOW });
    expect(found).toMatchObject({
      pool: { base: 3 },
      reasons: [`ConfigMap headroom-schedules gone since ${NOW_TEXT}, those of ${AT} count for two minutes`],
    });
    const later = await live.effective({
      pool: web,
      annotation: found.annotation,
      seen: { kind: 'gone' },
      now: NOW + 120_000,
    });
    expect(later).toEqual({ pool: web, replaced: [], notes: [], reasons: [] });
  });

  test('are read again by a deploy, and compiled once for all NodePools', async () => {
    const text = 'nodePools: {web: {base: 4}}';
    const { kept: first } = await seen(text);
    const stale = { ...first, base: 9 } as Kept;
    expect((await seen(text, stale)).pool.base).toBe(9);
    expect((await seen(text, stale, true)).pool.base).toBe(4);
  });
});
