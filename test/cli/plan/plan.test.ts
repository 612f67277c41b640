import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textWidth } from '../../../shared/drawing/text-width';
import { fakeTerminal, folderWith, runCli } from '../run-cli';

// Generous: the machine may be busy.
jest.setTimeout(60_000);

const SHOP = `
cluster: {name: shop, region: ap-northeast-2}
nodePools:
  default:
    max: 8
    leadTime: 30m
    price: 0.1
    unit: {node: {cpu: 1, memory: 2Gi}}
    schedules:
      - {name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: 2}
      - {name: sale, timezone: Asia/Seoul, from: "2026-12-01T08:00", to: "2026-12-01T20:00", desiredReplicas: 8}
`;
const CI = `
  ci:
    max: 40
    leadTime: 3m
    unit: {slice: {cpu: 500m, memory: 1Gi}}
    schedules:
      - {name: nightly <b>&, timezone: Europe/Berlin, start: 0 2 * * *, end: 0 5 * * *, desiredReplicas: 30}
      - {name: 매시간, timezone: UTC, start: 3 * * * *, end: 10 * * * *, desiredReplicas: 5}
`;
/** A floor that adds to the nodes that there are at lunch; `day` keeps some of its own. */
const FLOOR = `
cluster: {name: shop, region: ap-northeast-2}
nodePools:
  web:
    max: 8
    leadTime: 30m
    price: 0.1
    unit: {floor: {cpu: 4, memory: 16Gi}}
    schedules:
      - {name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, addNodes: 6}
`;
const folder = folderWith({
  'floor.yaml': FLOOR,
  'floor.day.yaml': FLOOR.replace('addNodes: 6', 'addNodes: 4').replace('max: 8', 'max: 8\n    base: 2'),
  'room.yaml': FLOOR.replace('floor: {cpu: 4', 'node: {cpu: 3').replace('addNodes', 'desiredReplicas'),
  'headroom.yaml': SHOP,
  'two.yaml': SHOP + CI,
  'two.staging.yaml': 'nodePools: {ci: {remove: true}}\n',
  'before.yaml': SHOP.replace('desiredReplicas: 2', 'desiredReplicas: 1').replace('max: 8', 'max: 9'),
});
const at = (name: string) => join(folder, name);

describe('headstart plan of a floor', () => {
  test('draws a window that adds nodes as so many more than there are, and its cost as at most', async () => {
    const { code, out, err } = await runCli(['plan', '-c', at('floor.yaml')], fakeTerminal({ width: 60 }));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(
      [
        'shop: planned headroom, 24 h from Mon 16 Nov 20:00',
        'Asia/Seoul +09:00',
        '',
        'web: Floor · nodes ≥ 4 vCPU, 16 GiB · adds at most 8 · lead',
        'time 30 min',
        '',
        '                Tue 17 Nov',
        '          21    00    03     06    09     12    15    18',
        '  lunch                                ┄━━━━━━',
        '     +6                                ▒▒▒▒▒▒▒',
        '                                       ▒▒▒▒▒▒▒',
        '                                       ▒▒▒▒▒▒▒',
        '                                       ▒▒▒▒▒▒▒',
        `      0 ${'▔'.repeat(51)}`,
        '  Mon 16 Nov 20:00        0     base: 0 nodes',
        '  Tue 17 Nov 11:00    0 → +6    lunch opens 11:30: +6 nodes;',
        '                                baseline counted at 11:00',
        '             13:30   +6 → 0     base: 0 nodes',
        '  +6: 6 nodes above the baseline, which is counted when the',
        '  lead time begins; picture and cost show what is added',
        '  adds at most 15 node-hours, $1.50; holding the peak of +6',
        '  all the time: 144 node-hours, $14.40',
        '',
      ].join('\n'),
    );
  });

  test('prints addNodes beside the size as JSON', async () => {
    const { out } = await runCli(['plan', '-c', at('floor.day.yaml'), '--json']);
    const { nodePools, figures } = JSON.parse(out);
    expect(nodePools.web.steps.slice(0, 2)).toEqual([
      { at: '2026-11-16T11:00:00.000Z', replicas: 2, reasons: ['base: 2 nodes'] },
      {
        at: '2026-11-17T02:00:00.000Z',
        replicas: 2,
        addNodes: 4,
        reasons: ['base: 2 nodes', 'lunch opens 2026-11-17T02:30Z: +4 nodes; baseline counted at 2026-11-17T02:00Z'],
      },
    ]);
    expect(figures.web).toMatchObject({ peak: 6, relative: true, nodeHours: 58 });
  });

  test('compares what is added with what was added, and with a size in all, by the names of the config', async () => {
    const more = await runCli(['plan', '-c', at('floor.yaml'), '--compare', at('floor.day.yaml')]);
    expect(more.out).toContain('  ~ window lunch addNodes: 4 → 6\n  ~ base: 2 → 0\n');
    expect(more.out).toContain('  Tue 17 Nov 11:00 to 13:30  2 +4 → +6\n');
    expect(more.out).toContain('  at most 58 → 15 node-hours (-43), $5.80 → $1.50 (-$4.30)\n');
    const room = await runCli(['plan', '-c', at('floor.yaml'), '--compare', at('room.yaml')]);
    for (const line of [
      '  + window lunch addNodes: 6',
      '  - window lunch desiredReplicas: 6',
      '  + unit.floor.cpu: 4',
      '  - unit.node.cpu: 3',
      '  Tue 17 Nov 11:00 to 13:30     6 → +6',
      '  at most 15 node-hours as before, $1.50 as before',
    ])
      expect(room.out).toContain(`${line}\n`);
  });

  test.each([
    { name: 'a picture', option: '--svg' },
    { name: 'a page', option: '--html' },
  ])('labels what is added in $name', async ({ option }) => {
    const file = at('floor.out');
    await runCli(['plan', '-c', at('floor.yaml'), option, file]);
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(/<rect class="added"[^>]*height="94"\/><text [^>]*>\+6<\/text>/);
    expect(text).toContain('lunch: +6');
    expect(text).toContain('adds at most 15 node-hours, $1.50');
  });
});

describe('headstart plan', () => {
  test('draws windows, lead time, size, changes and cost', async () => {
    const { code, out, err } = await runCli(['plan', '-c', at('headroom.yaml')], fakeTerminal({ width: 60 }));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(
      [
        'shop: planned headroom, 24 h from Mon 16 Nov 20:00',
        'Asia/Seoul +09:00',
        '',
        'default: Room · 1 vCPU, 2 GiB free on each node · at most 8',
        '· lead time 30 min',
        '',
        '                Tue 17 Nov',
        '          21    00    03     06    09     12    15    18',
        '  lunch                                ┄━━━━━━',
        '      2                                ███████',
        '                                       ███████',
        `      0 ${'▔'.repeat(51)}`,
        '  Mon 16 Nov 20:00        0     base: 0 nodes',
        '  Tue 17 Nov 11:00    0 → 2     lunch opens 11:30: 2 nodes',
        '             13:30    2 → 0     base: 0 nodes',
        '  not open in this time: sale (once 2026-12-01T08:00 to',
        '  2026-12-01T20:00 Asia/Seoul)',
        '  at most 5 node-hours, $0.50; holding the peak of 2 all the',
        '  time: 48 node-hours, $4.80',
        '',
      ].join('\n'),
    );
  });

  test.each([40, 60, 80, 120, 400])('fits a terminal of %d columns', async (width) => {
    for (const file of ['two.yaml', 'floor.day.yaml']) {
      for (const length of ['6h', '24h', '7d', '31d']) {
        const { out } = await runCli(['plan', '-c', at(file), '--to', length], fakeTerminal({ width }));
        expect(Math.max(...out.split('\n').map(textWidth))).toBeLessThanOrEqual(width);
      }
    }
  });

  test('colours only where they are wanted, and says the same', async () => {
    const plain = await runCli(['plan', '-c', at('two.yaml')]);
    const coloured = await runCli(['plan', '-c', at('two.yaml')], fakeTerminal({ colours: true }));
    const escapes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
    expect(plain.out).not.toMatch(escapes);
    expect(coloured.out).toMatch(escapes);
    const trimmed = (text: string) => text.replace(escapes, '').replace(/ +$/gm, '');
    expect(trimmed(coloured.out)).toBe(trimmed(plain.out));
  });

  test('reads --from and draws in the zone of --timezone', async () => {
    const argv = [
      'plan',
      '-c',
      at('headroom.yaml'),
      '--from',
      '2026-11-20',
      '--timezone',
      'America/New_York',
      '--json',
    ];
    const { out } = await runCli(argv);
    expect(JSON.parse(out).from).toBe('2026-11-20T05:00:00.000Z');
    const drawn = await runCli(argv.slice(0, -1));
    expect(drawn.out).toContain('24 h from Fri 20 Nov 00:00 America/New_York -05:00\n');
    expect(drawn.out).toContain('  21:00    0 → 2     lunch opens 21:30: 2 nodes\n');
    await runCli([...argv.slice(0, -1), '--html', at('plan.html')]);
    expect(readFileSync(at('plan.html'), 'utf8')).toContain('<summary>changes, in America/New_York</summary>');
  });

  test('prints steps as JSON, with figures beside them', async () => {
    const { out } = await runCli(['plan', '-c', at('headroom.yaml'), '--json']);
    expect(JSON.parse(out)).toEqual({
      from: '2026-11-16T11:00:00.000Z',
      to: '2026-11-17T11:00:00.000Z',
      nodePools: {
        default: {
          steps: [
            { at: '2026-11-16T11:00:00.000Z', replicas: 0, reasons: ['base: 0 nodes'] },
            { at: '2026-11-17T02:00:00.000Z', replicas: 2, reasons: ['lunch opens 2026-11-17T02:30Z: 2 nodes'] },
            { at: '2026-11-17T04:30:00.000Z', replicas: 0, reasons: ['base: 0 nodes'] },
          ],
        },
      },
      figures: {
        default: {
          peak: 2,
          replicaHours: 5,
          nodeHours: 5,
          constantNodeHours: 48,
          cost: { low: 0.5, high: 0.5, currency: 'USD' },
          constantCost: { low: 4.8, high: 4.8, currency: 'USD' },
        },
      },
    });
  });

  test('compares with another config', async () => {
    const argv = ['plan', '-c', at('headroom.yaml'), '--compare', at('before.yaml')];
    const { code, out } = await runCli(argv, fakeTerminal({ width: 60 }));
    expect(code).toBe(0);
    const [, drawn] = out.split('+09:00\n\n');
    expect(drawn).toBe(
      [
        'default: changed',
        '  ~ window lunch desiredReplicas: 1 → 2',
        '  ~ max: 9 → 8',
        '',
        '                  Tue 17 Nov',
        '            21    00    03    06    09    12    15    18',
        '',
        '   before                               ██████',
        '                                        ██████',
        '    after                               ██████',
        '  Tue 17 Nov 11:00 to 13:30     1 → 2    (+1)',
        '  2.5 → 5 node-hours (+2.5), $0.25 → $0.50 (+$0.25)',
        '',
      ].join('\n'),
    );
    const same = await runCli(['plan', '-c', at('two.yaml'), '--compare', at('two.yaml')]);
    expect(same.out).toContain('unchanged: default, ci');
  });

  test('says which NodePool an overlay takes out, and what that changes', async () => {
    const argv = ['plan', '-c', at('two.yaml'), '--env', 'staging', '--compare', at('two.yaml')];
    const { code, out, err } = await runCli(argv);
    expect(code).toBe(0);
    expect(err).toContain('nodePools.ci is removed (remove: true); the next deploy deletes its headroom');
    expect(out).toContain('ci: removed');
  });

  test('writes a page and a picture that need nothing else', async () => {
    const [html, svg] = [at('plan.html'), at('plan.svg')];
    const argv = ['plan', '-c', at('two.yaml'), '--compare', at('before.yaml'), '--html', html, '--svg', svg];
    const { code, err } = await runCli(argv);
    expect({ code, err }).toEqual({ code: 0, err: `wrote ${html}\nwrote ${svg}\n` });
    for (const text of [readFileSync(html, 'utf8'), readFileSync(svg, 'utf8')]) {
      expect(text.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|<script|url\(|@import|<link/);
      expect(text).toContain('prefers-color-scheme: dark');
      expect(text).toContain('lead time of lunch from Tue 17 Nov 11:00');
      expect(text).toContain('5 node-hours, $0.50');
      expect(text).not.toContain('<b>');
      expect(text).not.toMatch(/NaN|undefined|Infinity/);
    }
    expect(readFileSync(html, 'utf8')).toContain('class="before"');
  });

  describe('draws all NodePools on one time axis', () => {
    const draw = async (option: string, ...argv: readonly string[]) => {
      const file = at('axis.out');
      await runCli(['plan', '-c', at('axis.yaml'), '--from', '2026-11-17', option, file, ...argv]);
      return readFileSync(file, 'utf8');
    };

    beforeEach(() => {
      writeFileSync(
        at('axis.yaml'),
        `cluster: {name: demo, region: ap-northeast-2}
nodePools:
  web:
    max: 8
    schedules: [{name: a-window-with-a-name, timezone: Asia/Seoul, start: 0 12 * * *, end: 0 14 * * *, desiredReplicas: 6}]
  ci:
    max: 8
    schedules: [{name: ci, timezone: Europe/Berlin, start: 0 8 * * *, end: 0 9 * * *, desiredReplicas: 6}]
  steady: {base: 2, max: 2, price: 0.1}
`,
      );
    });

    test('with one left margin, in one time zone, that of the first of most windows', async () => {
      const svg = await draw('--svg');
      const starts = [...svg.matchAll(/class="edge" d="M([\d.]+) /g)].map(([, x]) => x);
      expect(starts).toHaveLength(2);
      expect(new Set(starts).size).toBe(1);
      expect(svg.match(/>Asia\/Seoul<\/text>/g)).toHaveLength(2);
      expect(svg).toContain('ci open since 16:00: 6 nodes');
      expect(svg).not.toContain('>Europe/Berlin</text>');
    });

    test('with a line at every hour, and its label at the line', async () => {
      const svg = await draw('--svg');
      const ticks = [
        ...svg.matchAll(
          /<line class="tick" x1="([\d.]+)"[^>]*><text class="soft" x="([\d.]+)" y="28" text-anchor="middle">(\d\d)</g,
        ),
      ];
      expect(ticks).toHaveLength(48);
      for (const [, line, label] of ticks) expect(label).toBe(line);
      expect(ticks.slice(0, 3).map(([, , , hour]) => hour)).toEqual(['09', '10', '11']);
    });

    test.each(['--svg', '--html'])('and one that never changes in one line (%s)', async (option) => {
      const text = await draw(option);
      expect(text).toMatch(/steady<\/(tspan|b)> <(tspan|span) class="soft">2 all the time · /);
      expect(text).not.toContain('aria-label="headroom of steady"');
    });

    test('and breaks what is longer than the picture is wide', async () => {
      const text = readFileSync(at('axis.yaml'), 'utf8').replace(
        'steady: {base: 2, max: 2, price: 0.1}',
        'steady: {base: 2, max: 2, price: 0.1, leadTime: auto, unit: {node: {cpu: 1, memory: 2Gi, ephemeral-storage: 20Gi, vpc.amazonaws.com/pod-eni: 1}}}',
      );
      writeFileSync(
        at('long.yaml'),
        text.replaceAll(
          'max: 8\n',
          'max: 8\n    leadTime: auto\n    unit: {node: {cpu: 1, memory: 2Gi, ephemeral-storage: 20Gi, vpc.amazonaws.com/pod-eni: 1}}\n',
        ),
      );
      const svg = await draw('--svg', '-c', at('long.yaml'), '--compare', at('two.yaml'));
      const lines = [...svg.matchAll(/<text x="8" [^>]*>(.*?)<\/text>/g)].map(([, line = '']) =>
        line.replace(/<[^>]+>/g, ''),
      );
      expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(135);
      for (const end of ['(status shows what it is now)', 'at most 48 node-hours, $4.80'])
        expect(lines.some((line) => line.endsWith(end))).toBe(true);
      const tops = [...svg.matchAll(/<text x="8" y="([\d.]+)" class="(?:name|soft)"/g)].map(([, y]) => Number(y));
      expect(new Set(tops).size).toBe(tops.length);
    });

    test('and in the terminal, where the columns of one time stand below each other', async () => {
      const { out } = await runCli(['plan', '-c', at('axis.yaml'), '--from', '2026-11-17']);
      const lines = out.split('\n');
      const margins = lines.filter((line) => line.includes('▔')).map((line) => line.indexOf('▔'));
      expect(margins).toHaveLength(2);
      expect(new Set(margins).size).toBe(1);
      expect(out).toContain('\nsteady: 2 all the time · Room · 1 vCPU free on each node');
    });

    test('also for a phone, with its text as large as elsewhere', async () => {
      const html = await draw('--html');
      expect(html.match(/class="narrow" viewBox="0 0 380 /g)).toHaveLength(2);
      expect(html).toContain('@media (max-width: 640px) { svg.wide { display: none; }');
    });

    test.each(['--svg', '--html'])('and names both files where it compares them (%s)', async (option) => {
      const text = await draw(option, '--compare', at('two.yaml'));
      expect(text).toContain(at('axis.yaml'));
      expect(text).toContain(`dashed line is ${at('two.yaml')}`);
    });
  });

  test.each([
    { name: 'an unknown zone', argv: ['--timezone', 'Mars'], says: '--timezone is "Mars"; write an IANA time zone' },
    { name: 'a start that is no time', argv: ['--from', 'noon'], says: '--from is "noon"; write a time such as' },
    { name: 'an end before the start', argv: ['--to', '2020-01-01'], says: '--to 2020-01-01 is not after the start' },
    {
      name: 'an end at the end of time',
      argv: ['--to', '9999-01-01'],
      says: '--to 9999-01-01 is more than 400 days after the start; write 400d or less',
    },
    { name: 'a folder that is not there', argv: ['--html', '/no/such/plan.html'], says: 'its folder does not exist' },
    { name: 'a config that is not there', argv: ['-c', 'nowhere.yaml'], says: 'does not exist; write it' },
    { name: 'an unknown option', argv: ['--tiemzone', 'UTC'], says: 'Did you mean --timezone?' },
  ])('refuses $name and says what to write', async ({ argv, says }) => {
    const { code, out, err } = await runCli(['plan', '-c', at('headroom.yaml'), ...argv]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(says);
  });

  test('reports all mistakes at once, also an end before the start', async () => {
    const argv = ['--timezone', 'Mars', '--from', '2026-11-17', '--to', '2020-01-01', '-c', 'nowhere.yaml'];
    const { code, err } = await runCli(['plan', ...argv]);
    expect(code).toBe(1);
    expect(err.trimEnd().split('\n')).toEqual([
      expect.stringContaining('--timezone is "Mars"'),
      expect.stringContaining('--to 2020-01-01 is not after the start 2026-11-17T00:00:00.000Z'),
      expect.stringContaining('nowhere.yaml'),
    ]);
  });
});
