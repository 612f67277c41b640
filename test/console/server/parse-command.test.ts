import { parseCommand } from '../../../console/server/parse-command';
import { orderOf } from '../../../console/sources/order-of';

const ASKED = { kind: 'inflate', pool: 'web', for: '30m', reason: 'sale' } as const;

describe('an inflate from the page', () => {
  test.each([{ atLeast: 6 }, { addNodes: 6 }])('becomes the order %j', (size) => {
    const command = parseCommand(JSON.stringify({ ...ASKED, ...size }));
    if (command.kind !== 'inflate') throw new Error('not an inflate');
    expect(orderOf(command)).toEqual({ nodePool: 'web', ...size, for: '30m', reason: 'sale', by: 'console' });
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
