import { cut, pad, textWidth, toWidth } from '../../../shared/drawing/text-width';

describe('text in columns', () => {
  test.each([
    { name: 'ASCII', text: 'lunch', columns: 5 },
    { name: 'Hangul', text: '점심', columns: 4 },
    { name: 'Hangul in single letters', text: '점심'.normalize('NFD'), columns: 4 },
    { name: 'Han', text: '午餐', columns: 4 },
    { name: 'half-width kana', text: 'ｶﾅ', columns: 2 },
    { name: 'an accent of its own', text: 'e\u0301', columns: 1 },
    { name: 'box drawing', text: '→━', columns: 2 },
    { name: 'colours', text: '\u001b[36mlunch\u001b[39m', columns: 5 },
    { name: 'an emoji', text: '🚀', columns: 2 },
    { name: 'a symbol that is shown as an emoji', text: '⏰✅', columns: 4 },
    { name: 'a newer emoji', text: '🫠', columns: 2 },
    { name: 'several emoji that are drawn as one', text: '👩\u200d👩\u200d👧', columns: 2 },
    { name: 'a flag', text: '🇰🇷', columns: 2 },
    { name: 'a heart in colour', text: '❤\ufe0f', columns: 2 },
  ])('$name takes $columns columns', ({ text, columns }) => {
    expect(textWidth(text)).toBe(columns);
  });

  test('is cut and filled by columns', () => {
    expect([cut('점심시간', 5), toWidth('점심', 6), pad('ab', 4), cut('abc', 3)]).toEqual([
      '점심…',
      '점심  ',
      'ab  ',
      'abc',
    ]);
  });

  test('is never cut inside a character', () => {
    expect([cut('👩\u200d👩\u200d👧 sale', 4), cut('⏰⏰⏰', 4), cut('🇰🇷🇯🇵', 3)]).toEqual([
      '👩\u200d👩\u200d👧 …',
      '⏰…',
      '🇰🇷…',
    ]);
  });
});
