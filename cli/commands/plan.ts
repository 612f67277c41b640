import type { PlanStep } from '../../shared/core/plan';
import { planDay } from '../../shared/core/plan';
import { EXIT } from '../exit';
import { type ConfigOptions, loadOrFail } from '../load';
import { readEnd, readTime } from '../time';

export interface PlanOptions extends ConfigOptions {
  readonly from: string;
  readonly to: string;
  readonly json?: boolean;
}

/** Shows how the headroom of each NodePool will change by the config and the clock alone. */
export function plan(options: PlanOptions, now: number): number {
  const from = readTime(options.from, '--from', now);
  const to = readEnd(options.to, '--to', from, now);
  const planned = planDay(loadOrFail(options), from, to);
  process.stdout.write(options.json ? `${JSON.stringify(asJson(planned), null, 2)}\n` : asText(planned));
  return EXIT.fine;
}

type Planned = Readonly<Record<string, readonly PlanStep[]>>;

function asJson(planned: Planned) {
  const nodePools = Object.entries(planned).map(([name, steps]) => [
    name,
    { steps: steps.map((step) => ({ ...step, at: new Date(step.at).toISOString() })) },
  ]);
  return { nodePools: Object.fromEntries(nodePools) };
}

function asText(planned: Planned): string {
  return Object.entries(planned)
    .map(([name, steps]) => {
      const lines = steps.map(
        ({ at, replicas, reasons }) =>
          `  ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC  ${String(replicas).padStart(4)}  ${reasons.join('; ')}`,
      );
      return `${name}\n${lines.join('\n')}\n`;
    })
    .join('\n');
}
