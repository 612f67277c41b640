import { bar } from '../../../cli/terminal/bar';

test.each([
  { done: 0, total: 0, drawn: '░░░░' },
  { done: 0, total: 2, drawn: '░░░░' },
  { done: 1, total: 2, drawn: '██░░' },
  { done: 3, total: 2, drawn: '████' },
])('$done of $total is drawn as $drawn', ({ done, total, drawn }) => {
  expect(bar(done, total, 4)).toBe(drawn);
});
