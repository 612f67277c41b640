import { history } from './history';
import { variants } from './variants';

/** Runs the histories of these seeds; gives what is wrong, with the steps that led there. */
export async function runHistories(
  from: number,
  to: number,
): Promise<{ wrong: readonly string[]; ended: Readonly<Record<string, number>> }> {
  const deploys = variants();
  const wrong: string[] = [];
  const ended: Record<string, number> = {};
  for (let seed = from; seed <= to; seed += 1) {
    const told = await history(seed, deploys);
    for (const status of told.steps.flatMap((step) => /: ([A-Z_]+) /.exec(step)?.[1] ?? []))
      ended[status] = (ended[status] ?? 0) + 1;
    if (told.wrong.length > 0) wrong.push([`seed ${seed}: ${told.wrong.join('; ')}`, ...told.steps].join('\n  '));
  }
  return { wrong, ended };
}
