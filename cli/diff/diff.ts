import { runtimeConfig } from '../../shared/core/config/runtime-config';
import { functionAccess } from '../access/function-access';
import { type ConfigOptions, loadOrFail } from '../input/load-config';
import { readPeriod, readTimezone } from '../input/time';
import { comparePlans } from '../plan/compare-plans';
import { drawComparison } from '../plan/draw-comparison';
import { comparisonJson } from '../plan/plan';
import { EXIT } from '../terminal/exit';
import { painter } from '../terminal/paint';
import type { Terminal } from '../terminal/terminal';
import { compareObjects, type ObjectChange } from './compare-objects';

export interface DiffOptions extends ConfigOptions {
  readonly from: string;
  readonly to: string;
  readonly timezone?: string;
  readonly function?: string;
  readonly json?: boolean;
}

/** Shows what a deploy would change, against the config that the deployed function holds. */
export async function diff(options: DiffOptions, terminal: Terminal): Promise<number> {
  const timezone = readTimezone(options.timezone);
  const { from, to } = readPeriod(options, terminal.now(), timezone);
  const after = runtimeConfig(loadOrFail(options, terminal));
  const access = await functionAccess(after.cluster, terminal, options.function);
  const response = await access.order({ config: true });
  if (!('config' in response))
    throw new Error(`${access.place} returned no config; check that it is Headstart's inflate function`);
  const before = response.config;
  const comparison = comparePlans(before, after, from, to, timezone);
  const objects = compareObjects(before, after);
  if (options.json) terminal.out(`${JSON.stringify({ nodePools: comparisonJson(comparison), objects }, null, 2)}\n`);
  else
    terminal.out(
      `${drawComparison(comparison, { before: access.place, after: options.config }, terminal)}\n${drawObjects(objects, terminal)}`,
    );
  return EXIT.ok;
}

const MARKS = { added: ['+', 'green'], removed: ['-', 'red'], changed: ['~', 'yellow'] } as const;

function drawObjects(objects: readonly ObjectChange[], terminal: Terminal): string {
  if (objects.length === 0) return 'Kubernetes objects: no change\n';
  const paint = painter(terminal);
  const lines = objects.map(({ kind, object, fields, replacesPods }) => {
    const [mark, colour] = MARKS[kind];
    const pods = replacesPods ? '; its pods are replaced at once' : '';
    return paint(colour, `  ${mark} ${object}${fields.length > 0 ? `: ${fields.join(', ')}` : ''}${pods}`);
  });
  return `Kubernetes objects\n${lines.join('\n')}\n`;
}
