import { parseCommand } from '../../../../lab/console/snapshot/page-command';
import { overrideOf } from '../../../../lab/console/sources/page-commands';

const ASKED = { kind: 'inflate', pool: 'web', for: '30m', reason: 'sale' } as const;

describe('an inflate from the page', () => {
  test.each([{ atLeast: 6 }, { addNodes: 6 }])('becomes the override %j', (size) => {
    const command = parseCommand(JSON.stringify({ ...ASKED, ...size }));
    if (command.kind !== 'inflate') throw new Error('not an inflate');
    expect(overrideOf(command)).toEqual({ headroom: 'web', ...size, for: '30m', reason: 'sale', by: 'console' });
  });

  test.each([
    { name: 'no size', size: {}, says: 'command cannot be read: atLeast or addNodes' },
    { name: 'two sizes', size: { atLeast: 6, addNodes: 6 }, says: 'command cannot be read: atLeast or addNodes' },
    { name: 'no more nodes', size: { addNodes: 0 }, says: 'command at addNodes cannot be read' },
    { name: 'half a node', size: { addNodes: 1.5 }, says: 'command at addNodes cannot be read' },
  ])('with $name is refused', ({ size, says }) => {
    expect(() => parseCommand(JSON.stringify({ ...ASKED, ...size }))).toThrow(says);
  });
});

describe('a link to a moment', () => {
  const link = { kind: 'replay', scenario: 'lunch', seed: 1, at: 1 };

  test.each([
    { name: 'no number for a seed', of: { seed: null }, says: 'the link has no seed that is a whole number from 0 to' },
    { name: 'half a seed', of: { seed: 1.5 }, says: 'the link has no seed that is a whole number from 0 to' },
    {
      name: 'no time to show',
      of: { at: null },
      says: 'the link has no at that is a time, such as 2026-11-17T09:00:00Z',
    },
    { name: 'nothing said of the time to show', of: { at: undefined }, says: 'the link has no at that is a time' },
    { name: 'no start that is a time', of: { start: null }, says: 'the link has no start that is a time, such as' },
    { name: 'half of what was done', of: { actions: '[{"at":' }, says: 'what was done is cut off in the link' },
    {
      name: 'a deed that is none',
      of: { actions: [{ at: 1, command: { kind: 'jump' } }] },
      says: 'what was done is cut off',
    },
  ])('with $name says so in its own words', ({ of, says }) => {
    expect(() => parseCommand(JSON.stringify({ ...link, ...of }))).toThrow(says);
  });
});
