/** The whole response to CloudFormation holds 4 KB. */
const MAX_ATTRIBUTE = 1_000;
const CUT = ' ...';

/** Between two words, so that no name is cut: people run what is printed. */
export function shortAttribute(text: string): string {
  if (text.length <= MAX_ATTRIBUTE) return text;
  return `${text.slice(0, text.lastIndexOf(' ', MAX_ATTRIBUTE - CUT.length))}${CUT}`;
}
