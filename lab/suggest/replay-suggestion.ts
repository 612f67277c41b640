import { InputError } from '../../cli/terminal/exit';
import type { Terminal } from '../../cli/terminal/terminal';
import { wrap } from '../../cli/terminal/wrap';
import type { Config } from '../../shared/core/config/config';
import { lengthText, localTime } from '../../shared/drawing/local-time';
import { between, type Demand, endOf, MINUTE } from '../learning/demand';
import { type ComparisonOptions, caseJson, compareConfigs, type SimulatedCase } from '../simulate/compare-cases';
import { EXPLAINED, rowOf, SIMULATION_COLUMNS, sameFigures } from '../simulate/draw-simulation';
import type { Trace } from '../simulate/trace';
import { table } from '../terminal/text-table';
import type { Suggestion } from './suggestion';

const MAX_REPLAY_MS = 14 * 86_400_000;

export interface ReplayedSuggestion {
  readonly trace: Trace;
  /** How long the whole history is. */
  readonly historyMs: number;
  /** The proposal, today's config, no headroom. */
  readonly cases: readonly SimulatedCase[];
}

export async function replaySuggestions(
  suggestions: readonly Suggestion[],
  today: Config,
  proposed: Config,
  options: ComparisonOptions,
): Promise<ReplayedSuggestion> {
  const { trace, historyMs } = lastDays(suggestions);
  const named = [
    { name: 'the proposal itself', config: proposed },
    { name: "today's config", config: today },
  ];
  return { trace, historyMs, cases: await compareConfigs(named, trace, options) };
}

/** The end of the history, as a trace; NodePools that the config does not have cannot be simulated. */
export function lastDays(
  suggestions: readonly Pick<Suggestion, 'pool' | 'config' | 'history'>[],
): Pick<ReplayedSuggestion, 'trace' | 'historyMs'> {
  const known = suggestions.flatMap(({ pool, config, history }) => (config ? [{ pool, demand: history.demand }] : []));
  if (known.length === 0) throw new InputError('--replay: no NodePool of the history is in the config; add one');
  const first = Math.min(...known.map(({ demand }) => demand.from));
  const to = Math.max(...known.map(({ demand }) => endOf(demand)));
  const from = Math.max(first, to - MAX_REPLAY_MS);
  const demands = known.flatMap(({ pool, demand }) => changesOf(pool, demand, from)).sort((a, b) => a.at - b.at);
  return { trace: { from, to, demands }, historyMs: to - first };
}

/** The changes of demand, in whole pods; unknown times keep the demand before them. */
function changesOf(pool: string, demand: Demand, from: number): Trace['demands'] {
  const changes: { at: number; pool: string; pods: number }[] = [];
  const part = between(demand, from, endOf(demand));
  part.values.forEach((value, minute) => {
    const pods = Math.max(0, Math.ceil(value - 1e-6));
    if (Number.isNaN(value) || pods === changes.at(-1)?.pods) return;
    changes.push({ at: part.from + minute * MINUTE, pool, pods });
  });
  return changes;
}

export function drawReplay(
  { trace, historyMs, cases }: ReplayedSuggestion,
  { width }: Pick<Terminal, 'width'>,
): string {
  const length = trace.to - trace.from;
  const which =
    length < historyMs
      ? `the last ${lengthText(length)} of the history, which is ${lengthText(historyMs)} long`
      : `the history of ${lengthText(length)}`;
  const lines = [
    ...wrap(
      `Replay of ${which}, from ${localTime('UTC', trace.from)} UTC, on a simulated cluster. The proposal has learned from these days too.`,
      width,
    ),
    '',
    table(SIMULATION_COLUMNS.all, cases.map(rowOf), width),
    ...[...sameFigures(cases), EXPLAINED].flatMap((line) => wrap(line, width)),
  ];
  return `${lines.join('\n')}\n`;
}

export function replayJson({ trace, cases }: ReplayedSuggestion) {
  const [from, to] = [trace.from, trace.to].map((at) => new Date(at).toISOString());
  return { simulated: true, from, to, cases: cases.map(caseJson) };
}
