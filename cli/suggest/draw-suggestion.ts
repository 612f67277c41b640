import { amount, dollars } from '../../shared/drawing/amounts';
import { lengthText } from '../../shared/drawing/local-time';
import { nodesFor } from '../../shared/drawing/nodes-for';
import type { PlanFigures } from '../../shared/drawing/plan-model';
import type { TimeLine } from '../../shared/drawing/simulation-svg';
import { type HistoryPicture, suggestionSvg } from '../../shared/drawing/suggestion-svg';
import { headroomBy } from '../../shared/learning/backtest';
import { between, type Demand, endOf, MINUTE } from '../../shared/learning/demand';
import { table } from '../terminal/table';
import type { Terminal } from '../terminal/terminal';
import { wrap, wrapAfter } from '../terminal/wrap';
import { findings, percent, titleText, whyText } from './explain';
import type { BacktestRow, Suggestion } from './suggestion';

const WEEK_HOURS = 168;
const DAYS_SHOWN = 14 * 86_400_000;
/** More points than this would not be visible. */
const MAX_POINTS = 900;

const FIGURES = [
  { title: 'rise covered', number: true },
  { title: 'node-hours/week', number: true },
];

/** One NodePool's suggestion for a terminal; `week` is what its plan for the coming week says. */
export function drawSuggestion(
  suggestion: Suggestion,
  week: PlanFigures | undefined,
  { width }: Pick<Terminal, 'width'>,
): string {
  const { lesson, backtest, advice, config } = suggestion;
  const price = config?.price;
  const columns = [...FIGURES, ...(price === undefined ? [] : [{ title: '$/week', number: true }])];
  const row = ({ name, share, hours }: BacktestRow) => [
    name,
    percent(share),
    amount(hours),
    ...(price === undefined ? [] : [dollars(hours * price)]),
  ];
  const tested = backtest.unseen
    ? `${advice === 'none' ? '' : 'The proposal itself: on the days that it was learned from, at the cost of the coming week (headstart plan --to 7d). The other rows: '}the last ${lengthText(backtest.to - backtest.from)}, with windows learned from the days before them.`
    : 'The history is too short to keep days back, so it was tested on the days that it was learned from.';
  const lines = [
    ...wrap(titleText(suggestion), width),
    ...findings(suggestion).flatMap((text) => wrapAfter('  ', '  ', text, width)),
    '',
    ...(lesson.base > 0 && advice === 'change' ? [`  base ${lesson.base}`] : []),
    ...(advice === 'change' ? lesson.windows : []).flatMap((proposed) => [
      `  ${proposed.window.startText}  to  ${proposed.window.endText}`,
      ...wrapAfter('    ', '    ', whyText(suggestion, proposed), width),
    ]),
    '',
    ...(advice === 'none' ? [curveOf(suggestion, columns, width)] : []),
    table(
      [{ title: 'backtest' }, ...columns],
      [...(advice === 'none' ? [] : [proposalRow(suggestion, week)]), ...backtest.rows.map(row)],
      width,
    ),
    ...wrap(tested, width),
  ];
  return `${lines.join('\n')}\n`;
}

/** What will be paid: for a floor at most, because nodes in use count too. */
function proposalRow({ lesson, learned, config }: Suggestion, week: PlanFigures | undefined): string[] {
  const atMost = lesson.plan.floor ? 'at most ' : '';
  const hours = week?.nodeHours ?? week?.replicaHours ?? learned.hours;
  return [
    'the proposal itself',
    percent(learned.share),
    `${atMost}${amount(hours)}`,
    ...(config?.price === undefined ? [] : [`${atMost}${dollars(week?.cost ?? hours * config.price)}`]),
  ];
}

/** What a base costs in place of windows. */
function curveOf({ curve, config, lesson }: Suggestion, columns: typeof FIGURES, width: number): string {
  const nodes = (config && nodesFor(config)) ?? ((replicas: number) => replicas);
  const price = config?.price;
  const rows = curve.map(({ base, share }) => {
    const hours = nodes(base) * WEEK_HOURS;
    const cells = [`base: ${base}`, percent(share), `${lesson.plan.floor ? 'at most ' : ''}${amount(hours)}`];
    return price === undefined ? cells : [...cells, dollars(hours * price)];
  });
  return table([{ title: 'instead of windows' }, ...columns], rows, width);
}

/** The last two weeks of each history, with the headroom that the proposal would have added. */
export function pictureOf(suggestions: readonly Suggestion[]): string {
  return suggestionSvg(suggestions.map(historyPicture));
}

function historyPicture(suggestion: Suggestion): HistoryPicture {
  const { history, lesson } = suggestion;
  const demand = between(history.demand, endOf(history.demand) - DAYS_SHOWN, endOf(history.demand));
  const headroom = headroomBy(lesson.plan, demand);
  const ready = demand.values.map((value, minute) => value + (headroom[minute] as number));
  return {
    title: titleText(suggestion),
    frame: { from: demand.from, to: endOf(demand), timezone: lesson.timezone },
    lines: [
      lineOf('demand', 'var(--area)', demand, demand.values),
      lineOf('demand and the headroom proposed', 'var(--change)', demand, ready),
    ],
  };
}

/** The highest value of each step, so that short peaks stay visible; gaps are drawn at the value before them. */
function lineOf(name: string, colour: string, { from }: Demand, values: Float64Array): TimeLine {
  const step = Math.max(1, Math.ceil(values.length / MAX_POINTS));
  const points: { at: number; value: number }[] = [];
  for (let first = 0; first < values.length; first += step) {
    const known = values.slice(first, first + step).filter((value) => !Number.isNaN(value));
    const value = known.length === 0 ? (points.at(-1)?.value ?? 0) : Math.round(Math.max(...known) * 10) / 10;
    if (points.at(-1)?.value !== value) points.push({ at: from + first * MINUTE, value });
  }
  return { name, colour, points };
}
