import type { AccessOptions } from '../../cli/input/access-options';
import { readFileOrFail, writeFileOrFail } from '../../cli/input/files';
import { loadOrFail } from '../../cli/input/load-or-fail';
import { readAmount, readWholeNumber } from '../../cli/input/numbers';
import { readDuration, readTimezone } from '../../cli/input/time';
import { EXIT, InputError } from '../../cli/terminal/exit';
import type { Terminal } from '../../cli/terminal/terminal';
import { displayPath, readSources } from '../../shared/adapters/files/config-files';
import type { Config } from '../../shared/core/config/config';
import { loadConfig } from '../../shared/core/config/read/load';
import { formatProblem } from '../../shared/core/config/yaml/problem';
import { planModel } from '../../shared/drawing/plan-model';
import type { HeadroomShape } from '../learning/proposal';
import { progressOf } from '../simulate/progress';
import { drawSuggestions, pictureOf, type Weeks } from './draw-suggestion';
import { findings, whyText } from './explain';
import { savingOf } from './explain-retired';
import { type HistoryOptions, readHistory } from './history/read-history';
import type { SampleStore } from './history/sample-store';
import { lastWeek, lastWeekJson, lastWeekText } from './last-week';
import { liveOverlay } from './live-overlay';
import { withMeasuredLeads } from './measured-leads';
import { mergeInto, snippetOf } from './merge-config';
import { type Suggestion, type SuggestSettings, suggestFor } from './suggestion';

export interface SuggestOptions extends HistoryOptions, AccessOptions {
  readonly lead?: string;
  readonly cover: string;
  readonly windows: string;
  readonly learn: string;
  readonly shape?: string;
  readonly base?: string;
  readonly anyway?: boolean;
  readonly write?: boolean;
  readonly live?: string;
  readonly svg?: string;
  readonly replay?: boolean;
  readonly lastWeek?: string;
  readonly nodeDelay: string;
  readonly json?: boolean;
}

const SHAPES: readonly HeadroomShape[] = ['room', 'floor', 'more'];
const MAX_WINDOWS = 12;
const WEEK = 7 * 86_400_000;

export async function suggest(options: SuggestOptions, terminal: Terminal): Promise<number> {
  const config = loadOrFail(options, terminal);
  const settings = settingsOf(options);
  const leads = settings.leadMinutes === undefined ? await withMeasuredLeads(options, config, terminal) : undefined;
  const learnedFor = leads?.config ?? config;
  const store = await readHistory(options, learnedFor, settings.leadMinutes, terminal);
  const suggestions = suggestAll(store, learnedFor, settings, terminal);
  const before = readFileOrFail(options.config, { expected: 'a config file' });
  const merged = mergeInto(before, suggestions);
  const proposed = proposedConfig(merged.text, options);
  const [week, today] = [proposed, config].map((one) => weeksOf(one, suggestions, terminal.now()));
  const weeks: Weeks = { proposed: week ?? new Map(), today: today ?? new Map() };
  const past = options.lastWeek === undefined ? new Map() : lastWeek(suggestions, earlier(options, terminal));
  const replayed = options.replay ? await replayOf(options, suggestions, config, proposed, terminal) : undefined;
  if (options.svg !== undefined) writeFileOrFail(options.svg, pictureOf(suggestions), '--svg');
  if (options.write) writeFileOrFail(options.config, merged.text, '--config');
  const overlay = options.live === undefined ? undefined : liveOverlay(merged.text, config, proposed, terminal.now());
  if (overlay) writeFileOrFail(options.live ?? '', overlay.text, '--live');
  if (options.json) {
    const all = { ...suggestionsJson(suggestions, weeks), ...lastWeekJson(past), ...replayed?.json };
    terminal.out(`${JSON.stringify(all, finite, 2)}\n`);
  } else {
    const text = outputOf(options, { suggestions, weeks }, merged.text, terminal);
    terminal.out(text + lastWeekText(past) + (replayed?.text ?? ''));
  }
  for (const note of [...(leads?.notes ?? []), ...store.notes, ...(overlay ?? merged).notes])
    terminal.err(`note: ${note}\n`);
  if (options.svg !== undefined) terminal.err(`wrote ${options.svg}\n`);
  if (options.write) terminal.err(`wrote ${options.config}\n`);
  if (overlay) terminal.err(`wrote ${options.live}\n`);
  return EXIT.ok;
}

/** One NodePool after the other, with the progress. */
export function suggestAll(
  store: SampleStore,
  config: Config,
  settings: SuggestSettings,
  terminal: Terminal,
): readonly Suggestion[] {
  const onProgress = progressOf(terminal, 'learning');
  return store.names.map((pool, index, { length }) => {
    const suggestion = suggestFor(pool, store.samplesOf(pool), config, settings);
    onProgress((index + 1) / length);
    return suggestion;
  });
}

function earlier({ lastWeek: file = '', env }: SuggestOptions, terminal: Terminal): Config {
  return loadOrFail({ config: file, ...(env !== undefined && { env }) }, terminal, '--last-week');
}

/** Replays the last days; loads the simulator only if needed. */
async function replayOf(
  options: SuggestOptions,
  suggestions: readonly Suggestion[],
  config: Config,
  proposed: Config,
  terminal: Terminal,
) {
  const { drawReplay, replayJson, replaySuggestions } = await import('./replay-suggestion');
  const replayed = await replaySuggestions(suggestions, config, proposed, {
    seed: 1,
    nodeDelaySeconds: readDuration(options.nodeDelay, '--node-delay'),
    onProgress: progressOf(terminal, 'simulating'),
  });
  return { json: { replay: replayJson(replayed) }, text: `\n${drawReplay(replayed, terminal)}` };
}

/** The config as --write would leave it; what is not valid is never written. */
function proposedConfig(merged: string, { config, env }: SuggestOptions): Config {
  const sources = readSources(config, env).filter((one) => 'text' in one);
  const file = displayPath(config);
  const loaded = loadConfig(sources.map((source) => (source.file === file ? { file, text: merged } : source)));
  if (loaded.ok) return loaded.config;
  const problems = loaded.problems.map(formatProblem);
  throw new InputError(['the proposal is not a valid config; nothing was written:', ...problems].join('\n'));
}

/** What `plan --to 7d` says of each proposal: what will be paid in a week. */
export function weeksOf(config: Config, suggestions: readonly Suggestion[], now: number) {
  const proposed = new Set(suggestions.map(({ pool }) => pool));
  const { pools } = planModel(config, now, now + WEEK);
  return new Map(pools.filter(({ name }) => proposed.has(name)).map((plan) => [plan.name, plan]));
}

/** JSON has no infinity. */
function finite(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? undefined : value;
}

function outputOf(
  options: SuggestOptions,
  { suggestions, weeks }: { readonly suggestions: readonly Suggestion[]; readonly weeks: Weeks },
  after: string,
  terminal: Terminal,
): string {
  const known = suggestions
    .filter(({ config, advice }) => config && (advice === 'change' || advice === 'retire'))
    .map(({ pool }) => pool);
  const yaml = known.length === 0 || options.write ? '' : `\n${snippetOf(after, known)}`;
  return `${drawSuggestions(suggestions, weeks, terminal)}${yaml}`;
}

function settingsOf(options: SuggestOptions): SuggestSettings {
  if (options.live !== undefined && options.write)
    throw new InputError('--live writes live schedules, --write the config; choose one of them');
  const cover = readAmount(options.cover, '--cover') / 100;
  if (cover <= 0 || cover > 1)
    throw new InputError(`--cover is ${options.cover}; write a percentage such as --cover 99`);
  const base = options.base === undefined ? undefined : readAmount(options.base, '--base') / 100;
  if (base !== undefined && (base <= 0 || base > 1))
    throw new InputError(
      `--base is ${options.base}; write the percentage of the rise that it covers, such as --base 95`,
    );
  const shape = SHAPES.find((one) => one === options.shape);
  if (options.shape !== undefined && !shape)
    throw new InputError(`--shape is ${JSON.stringify(options.shape)}; write one of ${SHAPES.join(', ')}`);
  return {
    cover,
    most: readWholeNumber(options.windows, '--windows', { min: 1, max: MAX_WINDOWS }),
    learnDays: Math.max(2, Math.round(readDuration(options.learn, '--learn') / 86_400)),
    leadMinutes: options.lead === undefined ? undefined : Math.ceil(readDuration(options.lead, '--lead') / 60),
    timezone: readTimezone(options.timezone),
    shape,
    base,
    anyway: options.anyway,
    source: sourceOf(options),
  };
}

/** The default query of Prometheus leaves pause pods out. */
function sourceOf({ prometheus, query, cloudwatch }: SuggestOptions): string | undefined {
  if (prometheus !== undefined) return query === undefined ? undefined : '--query';
  return cloudwatch === undefined ? '--demand' : '--cloudwatch';
}

function suggestionsJson(suggestions: readonly Suggestion[], weeks: Weeks) {
  return { nodePools: Object.fromEntries(suggestions.map((one) => asJson(one, weeks))) };
}

function asJson(suggestion: Suggestion, { proposed, today }: Weeks) {
  const { pool, lesson, backtest, leadMinutes, advice, learned, curve, retirement } = suggestion;
  const week = proposed.get(pool);
  const iso = (at: number) => new Date(at).toISOString();
  return [
    pool,
    {
      rhythm: lesson.verdict,
      timezone: lesson.timezone,
      leadMinutes,
      shape: lesson.shape,
      base: lesson.base,
      advice,
      ...(advice !== 'none' && {
        proposal: { share: learned.share, unusedNodeHours: learned.hours, ...week?.figures },
      }),
      ...(retirement && {
        retire: retirement.windows.map(({ window, size, days }) => ({ name: window.name, size, days })),
        saves: savingOf(today.get(pool)?.figures, week?.figures),
      }),
      bases: curve,
      findings: findings(suggestion),
      schedules: lesson.windows.map((proposed) => ({
        name: proposed.window.name,
        timezone: proposed.window.timezone,
        start: proposed.window.startText,
        end: proposed.window.endText,
        [proposed.window.relative ? 'addNodes' : 'desiredReplicas']: proposed.window.replicas,
        why: whyText(suggestion, proposed),
      })),
      unseenDays: lesson.score,
      backtest: { from: iso(backtest.from), to: iso(backtest.to), unseen: backtest.unseen, cases: backtest.rows },
    },
  ] as const;
}
