import { golden } from '../../golden/golden';
import { changed, GROUPS } from './cases';
import { importText } from './import-text';

const said = golden(`${__dirname}/transcript.txt`);

/** What import prints, and how it ends. */
async function printed(source: string | undefined, text: string): Promise<string> {
  const { code, out, err, file, config } = await importText(source, text);
  if (code === 0) expect(config).toBeDefined();
  return `exit ${code}\n${err}${out}`.replaceAll(file, 'input.yaml');
}

/** The lines that one text has and the other has not. */
function difference(before: string, after: string): string {
  const [old, now] = [before, after].map((text) => text.trimEnd().split('\n'));
  const without = (lines: readonly string[] = [], others: readonly string[] = []) => {
    const left = [...others];
    return lines.filter((line) => {
      const at = left.indexOf(line);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  };
  const [gone, come] = [without(old, now), without(now, old)];
  return [...gone.map((line) => `- ${line}`), ...come.map((line) => `+ ${line}`)].join('\n') || 'the same';
}

const CASES = GROUPS.flatMap(({ name, source, text, changes = {} }) => {
  const title = `${source === undefined ? '' : `${source}: `}${name}`;
  const variants = Object.entries(changes).map(([how, change]) => ({
    title: `${title}, ${how}`,
    source,
    text: changed(text, change),
    sample: text,
  }));
  return [{ title, source, text, sample: undefined }, ...variants];
});

test.each(CASES)('import of $title prints the config and what is not carried over', async (one) => {
  const text = await printed(one.source, one.text);
  const isVariant = one.sample !== undefined && text.startsWith('exit 0');
  said(one.title, isVariant ? difference(await printed(one.source, one.sample), text) : text);
});
