import { wrap, wrapAfter } from '../../../cli/terminal/wrap';
import { table } from '../../../lab/terminal/text-table';

describe('wrapped text', () => {
  test('is broken at blanks, and a longer word stands alone', () => {
    expect(wrap('one two three four', 9)).toEqual(['one two', 'three', 'four']);
    expect(wrap('an unbreakable word', 5)).toEqual(['an', 'unbreakable', 'word']);
    expect(wrapAfter('a: ', '   ', 'one two three four', 15)).toEqual(['a: one two', '   three four']);
  });

  test('takes any blanks and line ends for one blank', () => {
    expect(wrap(' one\n two   three ', 80)).toEqual(['one two three']);
    expect([wrap('', 80), wrapAfter('a: ', '   ', '', 80)]).toEqual([[], ['a:']]);
  });

  test('gives a command in backticks a line of its own, so that it can be pasted', () => {
    expect(wrap('to end it, run `npx headstart release web`, or wait for it', 15)).toEqual([
      'to end it, run',
      'npx headstart release web',
      'or wait for it',
    ]);
    expect(wrap('run `a` then `b c`', 80)).toEqual(['run', 'a', 'then', 'b c']);
  });

  test('is measured in columns', () => {
    expect(wrap('점심 시간 ⏰ ok', 9)).toEqual(['점심 시간', '⏰ ok']);
  });
});

test('a table stays aligned under wide characters', () => {
  expect(
    table(
      [{ title: 'name' }, { title: 'pods', number: true }],
      [
        ['점심', '6'],
        ['⏰', '12'],
        ['dinner', '3'],
      ],
      80,
    ),
  ).toBe(['name    pods', '점심       6', '⏰        12', 'dinner     3'].join('\n'));
});
