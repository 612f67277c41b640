import { parseCommand } from '../../../../lab/console/snapshot/page-command';
import { overrideOf } from '../../../../lab/console/sources/page-commands';
import { messageOf } from '../../../../shared/core/basics/errors';
import { golden } from '../../../golden/golden';

const said = golden(`${__dirname}/page-command.txt`);
const ASKED = { kind: 'inflate', pool: 'web', for: '30m', reason: 'sale' } as const;

describe('an inflate from the page', () => {
  test.each([{ atLeast: 6 }, { addNodes: 6 }])('becomes the override %j', (size) => {
    const command = parseCommand(JSON.stringify({ ...ASKED, ...size }));
    if (command.kind !== 'inflate') throw new Error('not an inflate');
    expect(overrideOf(command)).toEqual({ headroom: 'web', ...size, for: '30m', reason: 'sale', by: 'console' });
  });

  test.each([
    { name: 'no size', size: {} },
    { name: 'two sizes', size: { atLeast: 6, addNodes: 6 } },
    { name: 'no more nodes', size: { addNodes: 0 } },
    { name: 'half a node', size: { addNodes: 1.5 } },
  ])('with $name is refused', ({ name, size }) => said(`an inflate with ${name}`, whyNot({ ...ASKED, ...size })));
});

describe('a link to a moment', () => {
  const link = { kind: 'replay', scenario: 'lunch', seed: 1, at: 1 };

  test.each([
    { name: 'no number for a seed', of: { seed: null } },
    { name: 'half a seed', of: { seed: 1.5 } },
    { name: 'no time to show', of: { at: null } },
    { name: 'nothing said of the time to show', of: { at: undefined } },
    { name: 'no start that is a time', of: { start: null } },
    { name: 'half of what was done', of: { actions: '[{"at":' } },
    { name: 'a deed that is none', of: { actions: [{ at: 1, command: { kind: 'jump' } }] } },
  ])('with $name says so in its own words', ({ name, of }) => said(`a link with ${name}`, whyNot({ ...link, ...of })));
});

function whyNot(command: object): string {
  try {
    return JSON.stringify(parseCommand(JSON.stringify(command)));
  } catch (error) {
    return messageOf(error);
  }
}
