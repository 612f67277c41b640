import { isStatusQuestion, parseOverride } from '../../../../shared/core/events/parse-override';
import { overrideIntents } from '../../../../shared/core/intents/override-intents';
import { configOf } from '../../../fakes/fake-runtime';

const NOW = Date.parse('2026-11-16T03:00:00Z');
const config = configOf('  web: {max: 8}\n  batch: {max: 3}\n');

const ordered = (raw: unknown) => overrideIntents(parseOverride(raw, NOW), config);
const nodePools = (raw: unknown) => ordered(raw).map(({ headroom }) => headroom);

describe('an order', () => {
  test('inflates one NodePool until its time is over', () => {
    expect(ordered({ headroom: 'web', atLeast: 6, for: '30m', reason: 'flash sale', by: 'ana' })).toEqual([
      {
        kind: 'override',
        headroom: 'web',
        override: { mode: 'atLeast', replicas: 6, until: NOW + 1_800_000, at: NOW, by: 'ana', reason: 'flash sale' },
      },
    ]);
  });

  test('may ask for all that max allows', () => {
    expect(nodePools({ headroom: 'batch', atLeast: 3, for: '1h' })).toEqual(['batch']);
  });

  test('takes an end with its zone', () => {
    expect(ordered({ headroom: 'web', exactly: 0, until: '2026-11-16T13:00:00+09:00' })).toMatchObject([
      { override: { mode: 'exactly', replicas: 0, until: NOW + 3_600_000, by: 'unknown' } },
    ]);
  });

  test('releases and pins all with a star', () => {
    expect(nodePools({ headroom: '*', release: true })).toEqual(['web', 'batch']);
    expect(nodePools({ headroom: '*', exactly: 0, for: '1h' })).toEqual(['web', 'batch']);
  });

  test.each(['node', 'slice'])('adds nodes to a floor only, and not to %s units', (unit) => {
    const room = configOf(`  web: {max: 8, unit: {${unit}: {cpu: 4}}}\n`);
    const floor = configOf('  web: {max: 8, unit: {floor: {cpu: 4}}}\n');
    const order = parseOverride({ headroom: 'web', addNodes: 3, for: '1h' }, NOW);
    expect(() => overrideIntents(order, room)).toThrow(
      `addNodes goes with a floor only, and web has ${unit} units; write atLeast with the size that you want in all`,
    );
    expect(overrideIntents(order, floor)).toMatchObject([{ override: { mode: 'addNodes', replicas: 3 } }]);
  });

  test('may be a question instead', () => {
    expect([isStatusQuestion({ status: true }), isStatusQuestion({ headroom: 'web' }), isStatusQuestion(null)]).toEqual(
      [true, false, false],
    );
  });

  test.each([
    { name: 'no NodePool', order: { atLeast: 3, for: '1h' }, says: 'names no headroom; write one of web, batch' },
    {
      name: 'an unknown NodePool',
      order: { headroom: 'wbe', atLeast: 3, for: '1h' },
      says: '"wbe" is not in the config; write one of web, batch',
    },
    { name: 'no size', order: { headroom: 'web', for: '1h' }, says: 'one of atLeast, exactly and addNodes' },
    {
      name: 'both sizes',
      order: { headroom: 'web', atLeast: 1, exactly: 1, for: '1h' },
      says: 'one of atLeast, exactly and addNodes',
    },
    { name: 'a size as text', order: { headroom: 'web', atLeast: '6', for: '1h' }, says: 'got "6"' },
    {
      name: 'more than max',
      order: { headroom: 'web', atLeast: 9, for: '1h' },
      says: 'above max 8 of web; write at most 8',
    },
    { name: 'no expiry', order: { headroom: 'web', atLeast: 3 }, says: 'needs an expiry' },
    {
      name: 'both expiries',
      order: { headroom: 'web', atLeast: 3, for: '1h', until: '2026-11-16T04:00:00Z' },
      says: 'needs an expiry',
    },
    {
      name: 'more than a day',
      order: { headroom: 'web', atLeast: 3, for: '25h' },
      says: 'at most 1d, got "25h"; what is permanent belongs in base',
    },
    {
      name: 'an end in the past',
      order: { headroom: 'web', atLeast: 3, until: '2026-11-16T02:00:00Z' },
      says: 'is not in the future',
    },
    {
      name: 'an end without a zone',
      order: { headroom: 'web', atLeast: 3, until: '2026-11-16T05:00:00' },
      says: 'a time with its zone',
    },
    { name: 'no duration', order: { headroom: 'web', atLeast: 3, for: 'long' }, says: 'such as "30m", got "long"' },
    { name: 'an unknown key', order: { headroom: 'web', replicas: 3, for: '1h' }, says: 'unknown keys replicas' },
    {
      name: 'a star with atLeast',
      order: { headroom: '*', atLeast: 3, for: '1h' },
      says: 'requires exactly or release',
    },
    {
      name: 'a date in another order',
      order: { headroom: 'web', atLeast: 3, until: '11-27-2026' },
      says: 'a time with its zone',
    },
    { name: 'release and a size', order: { headroom: 'web', release: true, atLeast: 3 }, says: 'write one of them' },
    { name: 'no object', order: 'web', says: 'not a JSON object' },
  ])('refuses an order with $name and says what to write', ({ order, says }) => {
    expect(() => ordered(order)).toThrow(says);
    expect(() => ordered(order)).toThrow(
      expect.objectContaining({ example: expect.objectContaining({ headroom: 'default' }) }),
    );
  });
});
