import { spanText } from '../../shared/core/basics/duration';
import type { HeadroomConfig } from '../../shared/core/config/config';
import { amount, count } from '../../shared/drawing/amounts';
import { dayLabel, lengthText, localTime } from '../../shared/drawing/local-time';
import { BIN_MINUTES, BINS, type Day, type DayTable } from '../learning/day-table';
import { endOf } from '../learning/demand';
import { median } from '../learning/demand-history';
import { daysOf } from '../learning/envelope';
import type { Piece } from '../learning/fit-windows';
import { kindText, type ProposedWindow } from '../learning/proposal';
import { isFlat } from '../learning/retire';
import { ratioOf, type Score, weeklyHours } from '../learning/unseen-days';
import { isShrunkText, retiredTexts } from './explain-retired';
import { isCutToBase } from './judge-night';
import { percent } from './percent';
import type { Suggestion } from './suggestion';

const DAY = 86_400_000;

export function findings(suggestion: Suggestion): readonly string[] {
  const { lesson, history, zone, leadMinutes, backtest, config, tonight } = suggestion;
  const lead = spanText(leadMinutes);
  const { stepMinutes = 1 } = history.demand;
  return [
    rhythmText(suggestion),
    ...(tonight === undefined || isFlat(history.demand, suggestion)
      ? []
      : [
          `It is ${lesson.verdict} on at least three of the last five nights, and that counts; tonight alone would be ${tonight}.`,
        ]),
    ...(backtest.failed
      ? [
          `The last ${lengthText(backtest.to - backtest.from)} do not follow it: windows learned before them cover ${percent(backtest.rows[0]?.share ?? 0)} of the rise then and hold ${times(backtest.ratio)} the headroom of a constant that covers as much.`,
        ]
      : []),
    ...(lesson.growth
      ? [
          `Demand grew by ${percent(lesson.growth.perWeek)} a week; sizes allow for ${percent(lesson.growth.allowed - 1)} more than now, as much as the learned weeks grew. Learn again every week.`,
        ]
      : []),
    ...(lesson.cutOff !== undefined && config
      ? [
          `max is ${config.max}, which cuts off sizes of up to ${lesson.cutOff}: the rest of such a rise waits for nodes. Raise max to cover it.`,
        ]
      : []),
    ...adviceText(suggestion),
    ...(zone.follows === undefined
      ? []
      : [
          `Demand follows the clock of ${zone.timezone}, which changed on ${dayLabel('UTC', zone.follows)}; zones that change with it give the same windows.`,
        ]),
    ...history.notes.map((note) => `${note.charAt(0).toUpperCase()}${note.slice(1)}.`),
    ...(stepMinutes > leadMinutes
      ? [
          `The history has a value every ${spanText(stepMinutes)}, which is coarser than the lead time of ${lead}: demand may climb at any time between two values, so no window is shorter than that, and sizes are upper bounds.`,
        ]
      : []),
  ];
}

function rhythmText(suggestion: Suggestion): string {
  const { lesson, backtest, history, config, retirement } = suggestion;
  const { verdict, score, shape, highest, windows, failed } = lesson;
  if (highest === 0) return 'Demand never rises, so no headroom is needed.';
  if (isFlat(history.demand, suggestion)) return 'Demand no longer rises: it has not in the last 10 days.';
  if (verdict === 'none' && config && isCutToBase(lesson) && retirement === undefined)
    return `No rhythm is left below max, which is ${config.max}: windows of that size would do no better than a base.`;
  if (verdict === 'none')
    return shape === 'room'
      ? `No rhythm: windows at set times ${lostText(lesson, backtest)}.`
      : `No rhythm that a floor can follow. ${testedText(score)}.`;
  const kinds = windows.some(({ weekdays }) => weekdays.length < 7) ? 'Days of the week differ. ' : '';
  const instead = failed
    ? ` A floor does not fit, so room is proposed in its place: on such days a floor ${costText(failed.floor)} and room ${costText(failed.room)}.`
    : '';
  if (verdict === 'weak') return `Weak rhythm, not to be trusted. ${kinds}${testedText(score)}.${instead}`;
  const enough = windows.length === 0 ? '; the base alone is enough' : '';
  return `Clear rhythm. ${kinds}${testedText(score)}${enough}.${instead}`;
}

function adviceText({ lesson, advice, news, learned, config, retirement }: Suggestion): readonly string[] {
  if (retirement && config) return retiredTexts(retirement, config.base, hoursWord(config));
  const most = Math.ceil(lesson.highest);
  if (most === 0) return advice === 'none' ? ['Windows in place stay until two weeks of that are known.'] : [];
  if (advice === 'none')
    return [
      `Nothing is proposed. An alarm on what drives demand fits better; the largest rise is ${most}, so let it add up to that (max must allow it). --base 95 proposes a base that covers 95 % of the rise, --anyway windows in spite of this${lesson.verdict === 'weak' ? '; or watch the rhythm for a few more weeks' : ''}.`,
    ];
  const compared = (share: number, hours: number) =>
    `${percent(share)} of the rise and hold ${amount(hours)} ${hoursWord(config)}`;
  if (advice === 'keep')
    return [
      `No change: windows that are learned now would do little better. Those in place cover ${compared(learned.share, learned.hours)} a week.`,
    ];
  if (!news || !config) return [];
  const { before, after } = news;
  return [
    `The last two weeks call for a change: the windows in place cover ${compared(before.share, before.hours)} of them, the proposal would cover ${compared(after.share, after.hours)}.`,
  ];
}

/** Of one replica: several slices share a node. */
export function hoursWord(config: HeadroomConfig | undefined): string {
  return config?.unit.kind === 'slice' ? 'slice-hours' : 'node-hours';
}

function times(ratio: number): string {
  return ratio < 0.005 ? 'less than 0.01 times' : `${ratio.toFixed(2)} times`;
}

/** Why windows do no better than constant headroom. */
function lostText({ score }: Suggestion['lesson'], { ratio: last }: Suggestion['backtest']): string {
  const ratio = ratioOf(score);
  if (ratio === Number.POSITIVE_INFINITY) return 'cover none of the rise on days that they have not seen';
  if (ratio >= 1) return `would hold no less than a constant (${times(ratio)} as much)`;
  const held = `would hold ${times(ratio)} the headroom of a constant that covers as much`;
  if (ratio + score.noise >= 1) return `${held}, which is within the noise: days differ too much`;
  return last >= 1 ? `${held}, but no less in the last days` : `${held}, and cover ${percent(score.share)} of the rise`;
}

function testedText(score: Score): string {
  const rises = score.above === 0 ? 'the rise' : `the rises above ${amount(score.above)}`;
  const rest = score.above === 0 ? '' : '; smaller rises are left to Karpenter';
  return `On days that they had not seen, windows cover ${percent(score.share)} of ${rises} and hold ${times(ratioOf(score))} the headroom of a constant that covers as much${rest}`;
}

function costText(score: Score): string {
  return `covers ${percent(score.share)} of the rises above ${amount(score.above)} and holds ${amount(weeklyHours(score))} node-hours a week`;
}

const WHY = 'demand climbed within';

export function whyText({ lesson, leadMinutes, gains, config }: Suggestion, proposed: ProposedWindow): string {
  const { window, weekdays, piece } = proposed;
  const gain = gains[lesson.windows.indexOf(proposed)] ?? { share: 0, hours: 0 };
  const { table, timezone } = lesson;
  const climbs = daysOf(table.days, weekdays).flatMap((day) => climbOf(day, piece));
  const climbed = climbs.filter(({ most }) => most > 0);
  const top = climbs.reduce((a, b) => (b.most > a.most ? b : a));
  const typical = median(Float64Array.from(climbed, ({ most }) => most));
  const highest = climbs.reduce(
    (most, { reached, before }) => Math.max(most, reached - (window.relative ? before : 0)),
    0,
  );
  const size = window.relative ? `${window.replicas} more` : String(window.replicas);
  const inAll = { room: '', floor: `, and reached ${amount(highest)}`, more: `, and by ${amount(highest)} in all` };
  return `${size} ${kindText(weekdays)}: between ${clockOf(table, piece.from)} and ${clockOf(table, piece.to)} ${WHY} ${spanText(leadMinutes)} on ${climbed.length} of ${count(climbs.length, 'day')}, typically by ${amount(typical)}, at most by ${amount(top.most)} (${dayLabel('UTC', top.date * DAY)})${inAll[lesson.shape]}; times in ${timezone}. It covers ${percent(gain.share)} of all rise and leaves ${amount(gain.hours)} ${hoursWord(config)} a week unused.`;
}

/** Whether a comment was written by an earlier run, so that it may be replaced. */
export function isWhy(comment: string): boolean {
  return (comment.includes(`: between `) && comment.includes(` ${WHY} `)) || isShrunkText(comment);
}

/** The largest climb in a window on a day; empty if the demand is unknown. */
function climbOf({ date, rise, top, demand }: Day, { from, to }: Piece) {
  const inside = (values: Float64Array) => values.slice(from, to).filter((value) => !Number.isNaN(value));
  const most = (values: Float64Array) => inside(values).reduce((high, value) => Math.max(high, value), 0);
  const [before = 0] = inside(demand);
  return inside(rise).length === 0 ? [] : [{ date, most: most(rise), reached: most(top), before }];
}

function clockOf({ cut }: DayTable, bin: number): string {
  const minutes = ((((bin + cut) * BIN_MINUTES) % 1_440) + 1_440) % 1_440;
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

export function titleText({ pool, lesson, history, leadMinutes }: Suggestion): string {
  const zone = lesson.timezone;
  const [from, to] = [history.demand.from, endOf(history.demand)].map((at) => localTime(zone, at));
  return `${pool}: ${from} to ${to} ${zone}, ${count(knownDays(lesson.table), 'day')} learned, lead time ${spanText(leadMinutes)}`;
}

/** Counts known bins, because the first and last day are incomplete and others may have gaps. */
function knownDays({ days }: DayTable): number {
  const bins = days.reduce((sum, { rise }) => sum + rise.filter((value) => !Number.isNaN(value)).length, 0);
  return Math.round(bins / BINS);
}
