import { type PlanModel, planModel } from '../../shared/drawing/plan-model';
import { planSvg } from '../../shared/drawing/plan-svg';
import { writeFileOrFail } from '../input/files';
import { type ConfigOptions, loadOrFail } from '../input/load-config';
import { readEnd, readTime, readTimezone } from '../input/time';
import { EXIT } from '../terminal/exit';
import type { Terminal } from '../terminal/terminal';
import { comparePlans, type PlanComparison } from './compare-plans';
import { drawComparison } from './draw-comparison';
import { drawPlan } from './draw-plan';
import { planHtml } from './plan-html';

export interface PlanOptions extends ConfigOptions {
  readonly from: string;
  readonly to: string;
  readonly timezone?: string;
  readonly compare?: string;
  readonly html?: string;
  readonly svg?: string;
  readonly json?: boolean;
}

/** Shows the planned headroom of each NodePool: what the config and the clock alone decide. */
export function plan(options: PlanOptions, terminal: Terminal): number {
  const timezone = readTimezone(options.timezone);
  const from = readTime(options.from, '--from', terminal.now(), timezone);
  const to = readEnd(options.to, '--to', from, terminal.now(), timezone);
  const config = loadOrFail(options, terminal);
  const model = planModel(config, from, to, timezone);
  const comparison =
    options.compare === undefined
      ? undefined
      : comparePlans(loadOrFail({ config: options.compare }, terminal), config, from, to, timezone);

  if (options.html !== undefined) writeFileOrFail(options.html, planHtml(model, comparison), '--html');
  if (options.svg !== undefined) writeFileOrFail(options.svg, planSvg(model), '--svg');
  if (options.json) terminal.out(`${JSON.stringify(planJson(model, comparison), null, 2)}\n`);
  else if (comparison)
    terminal.out(drawComparison(comparison, { before: options.compare ?? '', after: options.config }, terminal));
  else terminal.out(drawPlan(model, terminal));
  for (const file of [options.html, options.svg]) if (file !== undefined) terminal.err(`wrote ${file}\n`);
  return EXIT.ok;
}

/** For programs: `nodePools` keeps its shape, and figures come beside it. */
function planJson({ from, to, pools }: PlanModel, comparison?: PlanComparison) {
  const iso = (at: number) => new Date(at).toISOString();
  return {
    from: iso(from),
    to: iso(to),
    nodePools: Object.fromEntries(
      pools.map(({ name, steps }) => [
        name,
        {
          steps: steps.map(({ at, replicas, uncounted, reasons }) => ({
            at: iso(at),
            replicas,
            ...(uncounted !== undefined && { addNodes: uncounted }),
            reasons,
          })),
        },
      ]),
    ),
    figures: Object.fromEntries(pools.map(({ name, figures }) => [name, figures])),
    ...(comparison && {
      comparison: Object.fromEntries(
        comparison.pools.map(({ name, kind, edits, differences, before, after }) => [
          name,
          {
            kind,
            edits,
            differences: differences.map((one) => ({ ...one, from: iso(one.from), to: iso(one.to) })),
            ...(before && { before: before.figures }),
            ...(after && { after: after.figures }),
          },
        ]),
      ),
    }),
  };
}
