import { parseOverride } from '../../../../shared/core/events/parse-override';
import { overrideIntents } from '../../../../shared/core/intents/override-intents';
import { configOf } from '../../../fakes/fake-runtime';

const NOW = Date.parse('2026-11-16T03:00:00Z');
const config = configOf('  web: {max: 8}\n  batch: {max: 3}\n');

const ordered = (raw: unknown) => overrideIntents(parseOverride(raw, NOW), config);
const nodePools = (raw: unknown) => ordered(raw).map(({ headroom }) => headroom);

describe('an override', () => {
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

  test('releases and pins all with a star', () => {
    expect(nodePools({ headroom: '*', release: true })).toEqual(['web', 'batch']);
    expect(nodePools({ headroom: '*', exactly: 0, for: '1h' })).toEqual(['web', 'batch']);
  });

  test.each(['node', 'slice'])('adds nodes to a floor only, and not to %s units', (unit) => {
    const room = configOf(`  web: {max: 8, unit: {${unit}: {cpu: 4}}}\n`);
    const floor = configOf('  web: {max: 8, unit: {floor: {cpu: 4}}}\n');
    const order = parseOverride({ headroom: 'web', addNodes: 3, for: '1h' }, NOW);
    expect(() => overrideIntents(order, room)).toThrow(
      `addNodes requires a floor, and web has ${unit} units; write atLeast with the size that you want in all`,
    );
    expect(overrideIntents(order, floor)).toMatchObject([{ override: { mode: 'addNodes', replicas: 3 } }]);
  });

  test.each([
    { name: 'no NodePool', order: { atLeast: 3, for: '1h' }, says: 'names no headroom; write one of web, batch' },
    {
      name: 'an unknown NodePool',
      order: { headroom: 'wbe', atLeast: 3, for: '1h' },
      says: '"wbe" is not in the config; write one of web, batch',
    },
    {
      name: 'more than max',
      order: { headroom: 'web', atLeast: 9, for: '1h' },
      says: 'above max 8 of web; write at most 8',
    },
    ...['atLeast', 'addNodes'].map((mode) => ({
      name: `a star with ${mode}`,
      order: { headroom: '*', [mode]: 3, for: '1h' },
      says: `requires exactly or release; write one headroom for ${mode}`,
    })),
    { name: 'no object', order: 'web', says: 'not a JSON object' },
  ])('refuses an override with $name and says what to write', ({ order, says }) => {
    expect(() => ordered(order)).toThrow(says);
    expect(() => ordered(order)).toThrow(
      expect.objectContaining({ example: expect.objectContaining({ headroom: 'default' }) }),
    );
  });
});
