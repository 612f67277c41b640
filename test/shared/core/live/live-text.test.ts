import { type LiveConfigMap, liveTextOf, unreadText } from '../../../../shared/core/live/live-text';
import { keepLive, keptOf } from '../../../../shared/core/live/update-kept';

const NOW = Date.parse('2026-11-16T09:30:00Z');
const AT = '2026-11-16T09:30:00.000Z';
const BEFORE = '2026-11-16T08:00:00.000Z';

function found(part: Partial<LiveConfigMap>): LiveConfigMap {
  return { data: {}, binaryKeys: [], ...part };
}

describe('the text of the ConfigMap', () => {
  it.each([
    [
      'has binaryData',
      { binaryKeys: ['a', 'b'], data: { text: '{}' } },
      'has binaryData (a, b); write the text in data',
    ],
    ['has no key', {}, 'has no key in data; write one, such as schedules.yaml'],
    ['has two keys', { data: { a: '', b: '' } }, 'has 2 keys in data (a, b); write one'],
    ['is too long', { data: { a: 'ü'.repeat(32_769) } }, 'has 65538 bytes in a; write at most 65536'],
  ])('that %s is refused', (_, part, problem) => {
    expect(liveTextOf(found(part), NOW)).toMatchObject({
      kind: 'broken',
      problem: `ConfigMap headroom-schedules ${problem}`,
      by: 'somebody',
      at: AT,
    });
  });

  it('may have 65536 bytes', () => {
    expect(liveTextOf(found({ data: { a: 'ü'.repeat(32_768) } }), NOW).kind).toBe('text');
  });

  it('is known by its content, its editor and the uid, whose name stays short and plain', () => {
    const edit = { by: `é"\\\n${'x'.repeat(80)}`, at: BEFORE };
    const text = liveTextOf(found({ data: { a: 'one' }, uid: 'u1', edit }), NOW);
    expect(text).toMatchObject({ kind: 'text', key: 'a', text: 'one', uid: 'u1', at: BEFORE });
    expect(text).toMatchObject({ by: `????${'x'.repeat(60)}`, hash: expect.stringMatching(/^1-./) });
    const hashOf = (content: string) => (liveTextOf(found({ data: { a: content } }), NOW) as { hash: string }).hash;
    expect(hashOf('one')).toBe((text as { hash: string }).hash);
    expect(hashOf('two')).not.toBe(hashOf('one'));
  });

  it('that cannot be read says why', () => {
    expect(unreadText('403')).toEqual({ kind: 'unread', problem: 'ConfigMap headroom-schedules cannot be read: 403' });
  });

  it('that is not there is gone', () => {
    expect(liveTextOf(undefined, NOW)).toEqual({ kind: 'gone' });
  });
});

describe('what a Deployment keeps', () => {
  const kept = { hash: '1-a', by: 'ana', at: BEFORE, base: 2 };

  it('names at most five NodePools that are not deployed, and a short problem without control characters', async () => {
    const seen = { kind: 'text', hash: '1-b', key: 'a', text: '', by: 'bo', at: AT } as const;
    const input = { headroom: 'web', kept, seen, now: NOW, again: false };
    const undeployed = ['a', 'b', 'c', 'd', 'e', 'f'];
    const valid = await keepLive({ ...input, compile: async () => ({ ok: true, parts: new Map(), undeployed }) });
    expect(valid).toEqual({ hash: '1-b', by: 'bo', at: AT, undeployed: ['a', 'b', 'c', 'd', 'e'] });
    const problem = `a\n\u0007${'x'.repeat(700)}`;
    const refused = await keepLive({ ...input, compile: async () => ({ ok: false, problem }) });
    expect(refused).toEqual({
      ...kept,
      refused: { hash: '1-b', by: 'bo', at: AT, problem: `a  ${'x'.repeat(597)}` },
    });
    const all = await keepLive({ ...input, compile: async () => ({ ok: true, parts: new Map(), undeployed: [] }) });
    expect(all).not.toHaveProperty('undeployed');
  });

  it.each([
    ['119 s', 119_999, { goneSince: new Date(NOW - 119_999).toISOString() }],
    ['two minutes', 120_000, undefined],
  ])('stands while the ConfigMap is gone: %s', async (_, ms, expected) => {
    const compile = async () => Promise.reject(new Error('not asked'));
    const since = { ...kept, goneSince: new Date(NOW - ms).toISOString() };
    const input = { headroom: 'web', kept: since, seen: { kind: 'gone' } as const, now: NOW, again: false, compile };
    expect(await keepLive(input)).toEqual(expected && { ...kept, ...expected });
    expect(await keepLive({ ...input, kept: undefined })).toBeUndefined();
    expect(await keepLive({ ...input, kept })).toEqual({ ...kept, goneSince: AT });
  });

  it('keeps the edit of a window that another edit leaves alone', () => {
    const [old, other] = [
      { name: 'old', remove: true as const },
      { name: 'other', remove: true as const },
    ];
    const before = { hash: '1-a', schedules: [{ ...old, edit: { by: 'ana', at: BEFORE } }] };
    expect(keptOf({ base: 0, schedules: [old, other] }, { by: 'bo', at: AT }, before)).toEqual({
      hash: '1-a',
      by: 'bo',
      at: AT,
      base: 0,
      schedules: [
        { ...old, edit: { by: 'ana', at: BEFORE } },
        { ...other, edit: { by: 'bo', at: AT } },
      ],
    });
    expect(keptOf({}, { by: 'bo', at: AT })).toEqual({ hash: '', by: 'bo', at: AT });
  });
});
