import type { Terminal } from '../../cli/terminal/terminal';
import { wrap, wrapAfter } from '../../cli/terminal/wrap';
import { offsetAt } from '../../shared/core/windows/zone';
import { amount, moneyText } from '../../shared/drawing/amounts';
import { lengthText } from '../../shared/drawing/local-time';
import type { Column } from '../../shared/drawing/page';
import type { PoolPlan } from '../../shared/drawing/plan-model';
import { priceNote } from '../../shared/drawing/plan-text';
import { times } from '../../shared/pricing/money';
import { headroomBy } from '../learning/backtest';
import { BIN_MINUTES, BINS } from '../learning/day-table';
import { daysOf } from '../learning/envelope';
import { kindText } from '../learning/proposal';
import { table } from '../terminal/text-table';
import { findings, hoursWord, titleText, whyText } from './explain';
import { savingOf, savingText } from './explain-retired';
import type { BacktestRow } from './judge-night';
import { percent } from './percent';
import type { Suggestion } from './suggestion';
import { type DaysPicture, suggestionSvg } from './suggestion-svg';

const WEEK_HOURS = 168;
const DAY = 86_400_000;
const WEEK = [1, 2, 3, 4, 5, 6, 0];

/** Plans for the coming week, by NodePool. */
export interface Weeks {
  readonly proposed: ReadonlyMap<string, PoolPlan>;
  readonly today: ReadonlyMap<string, PoolPlan>;
}

/** The suggestions for a terminal. */
export function drawSuggestions(
  suggestions: readonly Suggestion[],
  { proposed, today }: Weeks,
  { width }: Pick<Terminal, 'width'>,
): string {
  const note = priceNote([...proposed.values()], 'a pool block or price tells');
  const drawn = suggestions.map((one) => {
    const saving =
      (one.retirement ?? one.news) && savingOf(today.get(one.pool)?.figures, proposed.get(one.pool)?.figures);
    return drawSuggestion(one, width, proposed.get(one.pool), saving ? [savingText(saving)] : []);
  });
  return [...drawn, ...(note === undefined ? [] : [`${wrap(note, width).join('\n')}\n`])].join('\n');
}

function drawSuggestion(
  suggestion: Suggestion,
  width: number,
  week: PoolPlan | undefined,
  saving: readonly string[],
): string {
  const { lesson, backtest, advice } = suggestion;
  const hours = hoursWord(suggestion.config);
  // Slices share nodes, so that their hours have no price of their own.
  const priced = suggestion.config?.unit.kind === 'slice' ? undefined : week;
  const titles = ['rise covered', `${hours}/week`, ...(priced?.price ? ['$/week'] : [])];
  const columns = titles.map((title) => ({ title, number: true }));
  const row = ({ name, share, hours }: BacktestRow) => [name, percent(share), amount(hours), ...costOf(priced, hours)];
  const tested = backtest.unseen
    ? `${advice === 'none' ? 'All rows' : `The proposal itself: on the ${advice === 'retire' ? 'newest days' : 'days that it was learned from'}, at the cost of the coming week (headstart plan --to 7d). The other rows`}: the last ${lengthText(backtest.to - backtest.from)}, with windows learned from the days before them.`
    : 'The history is too short to keep days back, so it was tested on the days that it was learned from.';
  const lines = [
    ...wrap(titleText(suggestion), width),
    ...[...findings(suggestion), ...saving].flatMap((text) => wrapAfter('  ', '  ', text, width)),
    '',
    ...(lesson.base > 0 && advice === 'change' ? [`  base ${lesson.base}`] : []),
    ...(advice === 'change' ? lesson.windows : []).flatMap((proposed) => [
      `  ${proposed.window.startText}  to  ${proposed.window.endText}`,
      ...wrapAfter('    ', '    ', whyText(suggestion, proposed), width),
    ]),
    ...(advice === 'change' ? [''] : []),
    ...(advice === 'none' && lesson.highest > 0 ? [curveOf(suggestion, columns, width, priced), ''] : []),
    table(
      [{ title: 'backtest' }, ...columns],
      [...(advice === 'none' ? [] : [proposalRow(suggestion, week)]), ...backtest.rows.map(row)],
      width,
    ),
    ...wrap(`${tested}${countedText(lesson)}${packedText(suggestion, week)}`, width),
  ];
  return `${lines.join('\n')}\n`;
}

/** What the shares of a floor count. */
function countedText({ score: { above } }: Suggestion['lesson']): string {
  return above === 0 ? '' : ` All shares count the rises above ${amount(above)}.`;
}

/** What slices cost once they are packed into nodes. */
function packedText({ config, advice }: Suggestion, week: PoolPlan | undefined): string {
  const { nodeHours, cost } = week?.figures ?? {};
  if (config?.unit.kind !== 'slice' || advice === 'none' || nodeHours === undefined) return '';
  return ` Packed into nodes, the proposal takes about ${amount(nodeHours)} node-hours${cost ? ` (${moneyText(cost)})` : ''}.`;
}

/** What node-hours cost, as a cell. */
function costOf(week: PoolPlan | undefined, hours: number): string[] {
  return week?.price ? [moneyText(times(week.price.hourly(1), hours))] : [];
}

/** What will be paid: for a floor at most, because nodes in use count too. */
function proposalRow({ lesson, learned, config }: Suggestion, week: PoolPlan | undefined): string[] {
  const atMost = lesson.plan.floor ? 'at most ' : '';
  const { replicaHours, cost } = week?.figures ?? {};
  const hours = `${atMost}${amount(replicaHours ?? learned.hours)}`;
  const isPriced = cost && config?.unit.kind !== 'slice';
  return ['the proposal itself', percent(learned.share), hours, ...(isPriced ? [moneyText(cost)] : [])];
}

/** What a base costs in place of windows. */
function curveOf({ curve, lesson }: Suggestion, columns: readonly Column[], width: number, week?: PoolPlan): string {
  const rows = curve.map(({ base, share }) => [
    `base: ${base}`,
    percent(share),
    `${lesson.plan.floor ? 'at most ' : ''}${amount(base * WEEK_HOURS)}`,
    ...costOf(week, base * WEEK_HOURS),
  ]);
  return table([{ title: 'instead of windows' }, ...columns], rows, width);
}

/** All days over 24 hours, with what is proposed and what it misses. */
export function pictureOf(suggestions: readonly Suggestion[]): string {
  return suggestionSvg(suggestions.map((one) => ({ title: titleText(one), kinds: kindPictures(one) })));
}

function kindPictures({ lesson }: Suggestion): readonly DaysPicture[] {
  const { table: days, plan, rule, windows, timezone } = lesson;
  const alike = plan.floor ? [...new Set(windows.map(({ weekdays }) => weekdays))] : rule.kinds;
  const others = WEEK.filter((weekday) => !alike.flat().includes(weekday));
  return [...alike, ...(others.length > 0 ? [others] : [])].map((weekdays) => {
    const own = daysOf(days.days, weekdays);
    // Where one day ends and another begins, nothing is drawn.
    const fromMidnight = (values: Float64Array) =>
      values.map((_, bin) => (binAt(bin - days.cut) === 0 ? Number.NaN : (values[binAt(bin - days.cut)] as number)));
    const midnight = (own.at(-1)?.date ?? 0) * DAY - offsetAt(timezone, (own.at(-1)?.date ?? 0) * DAY);
    const empty = { from: midnight, values: new Float64Array(BINS * BIN_MINUTES) };
    const size = headroomBy(plan, empty);
    const isRelative = plan.windows.some(({ relative }) => relative);
    return {
      name: kindText(weekdays),
      demand: own.map(({ demand }) => fromMidnight(demand)),
      rise: own.map(({ rise }) => fromMidnight(rise)),
      proposed: new Float64Array(BINS).map((_, bin) => size[bin * BIN_MINUTES] as number),
      floor: plan.floor && !isRelative,
    };
  });
}

function binAt(bin: number): number {
  return ((Math.floor(bin) % BINS) + BINS) % BINS;
}
