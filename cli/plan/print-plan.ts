import type { PlanStep } from '../../shared/core/decision/plan';
import { type PlanModel, planModel } from '../../shared/drawing/plan-model';
import type { RoleOptions } from '../aws/assume-role';
import { openAccess } from '../functions/open-access';
import { readForPlan } from '../functions/read-for-plan';
import { withLive } from '../functions/with-live';
import { collectErrors } from '../input/collect-errors';
import { writeFileOrFail } from '../input/files';
import { type ConfigOptions, loadOrFail } from '../input/load-or-fail';
import { readPeriod, readTimezone } from '../input/time';
import { EXIT } from '../terminal/exit';
import { jsonText, type Terminal } from '../terminal/terminal';
import { comparePlans, type PlanComparison } from './compare-plans';
import { drawComparison } from './draw-comparison';
import { drawPlan } from './draw-plan';
import { planHtml } from './plan-html';

export interface PlanOptions extends ConfigOptions, RoleOptions {
  readonly from: string;
  readonly to: string;
  readonly timezone?: string;
  readonly compare?: string;
  readonly html?: string;
  readonly live?: boolean;
  readonly kubeconfig?: string;
  readonly function?: string;
}

export async function plan(options: PlanOptions, terminal: Terminal): Promise<number> {
  const [timezone, { from, to }, file] = collectErrors(
    () => readTimezone(options.timezone),
    () => readPeriod(options, terminal.now(), options.timezone),
    () => loadOrFail(options, terminal),
  );
  const edited = options.live ? await withLive(file, await openAccess(options, file, terminal)) : file;
  const { configs, requirements } = await readForPlan(options, [edited], terminal);
  const [config = edited] = configs;
  const shown = { timezone, requirements };
  const model = planModel(config, from, to, shown);
  const comparison =
    options.compare === undefined
      ? undefined
      : comparePlans(loadOrFail({ config: options.compare }, terminal, '--compare'), config, from, to, shown);

  const files = { before: options.compare ?? '', after: options.config };
  const named = comparison && { ...comparison, files };
  if (options.html !== undefined) writeFileOrFail(options.html, planHtml(model, named), '--html');
  if (options.json) terminal.out(jsonText(planJson(model, comparison)));
  else if (comparison) terminal.out(drawComparison(comparison, files, terminal));
  else terminal.out(drawPlan(model, terminal));
  if (options.html !== undefined) terminal.err(`wrote ${options.html}\n`);
  return EXIT.ok;
}

/** For programs: `nodePools` keeps its shape, and figures come beside it. */
function planJson({ from, to, pools }: PlanModel, comparison?: PlanComparison) {
  return {
    from: iso(from),
    to: iso(to),
    nodePools: Object.fromEntries(pools.map(({ name, steps }) => [name, { steps: steps.map(stepJson) }])),
    figures: Object.fromEntries(pools.map(({ name, figures }) => [name, figures])),
    ...(comparison && { comparison: comparisonJson(comparison) }),
  };
}

function stepJson({ at, replicas, uncounted: addNodes, lacks, reasons }: PlanStep) {
  return { at: iso(at), replicas, ...(addNodes !== undefined && { addNodes }), ...(lacks && { lacks }), reasons };
}

export function comparisonJson({ pools }: PlanComparison) {
  return Object.fromEntries(
    pools.map(({ name, kind, edits, differences, before, after }) => [
      name,
      {
        kind,
        edits,
        differences: differences.map((one) => ({ ...one, from: iso(one.from), to: iso(one.to) })),
        ...(before && { before: before.figures }),
        ...(after && { after: after.figures }),
      },
    ]),
  );
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
