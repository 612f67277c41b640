import { amount } from '../../shared/drawing/amounts';
import { lengthText } from '../../shared/drawing/local-time';
import { table } from '../terminal/table';
import type { Terminal } from '../terminal/terminal';
import { wrap, wrapAfter } from '../terminal/wrap';
import { findings, percent, titleText, whyText } from './explain';
import type { Suggestion } from './suggestion';

const COLUMNS = [
  { title: 'backtest' },
  { title: 'rise covered', number: true },
  { title: 'headroom node-hours', number: true },
];

/** One NodePool's suggestion for a terminal. */
export function drawSuggestion(suggestion: Suggestion, { width }: Pick<Terminal, 'width'>): string {
  const { lesson, backtest } = suggestion;
  const rows = backtest.rows.map(({ name, share, hours }) => [name, percent(share), amount(hours)]);
  const tested = backtest.unseen
    ? `The last ${lengthText(backtest.to - backtest.from)}, with windows learned from the days before them.`
    : 'The history is too short to keep days back, so it was tested on the days that it was learned from.';
  const lines = [
    ...wrap(titleText(suggestion), width),
    ...findings(suggestion).flatMap((text) => wrapAfter('  ', '  ', text, width)),
    '',
    ...(lesson.base > 0 ? [`  base ${lesson.base}`] : []),
    ...lesson.windows.flatMap((proposed) => [
      `  ${proposed.window.startText}  to  ${proposed.window.endText}`,
      ...wrapAfter('    ', '    ', whyText(suggestion, proposed), width),
    ]),
    '',
    table(COLUMNS, rows, width),
    ...wrap(tested, width),
  ];
  return `${lines.join('\n')}\n`;
}
