import { count } from '../../shared/drawing/amounts';
import { type Colour, painter, type Terminal } from '../terminal/terminal';
import { wrap, wrapAfter } from '../terminal/wrap';
import type { Diagnosis, Finding } from './checks/finding';

const ORDER: readonly Finding['severity'][] = ['error', 'warning', 'note'];
const COLOURS: Readonly<Record<Finding['severity'], Colour>> = { error: 'red', warning: 'yellow', note: 'cyan' };

/** The findings, the most severe first, each with its evidence and fix; then what is fine. */
export function drawDoctor(
  { checkups, seen, skipped }: Diagnosis,
  { width, colours }: Pick<Terminal, 'width' | 'colours'>,
): string {
  const paint = painter({ colours });
  const findings = checkups.flatMap((checkup) => checkup.findings);
  const sorted = ORDER.flatMap((severity) => findings.filter((finding) => finding.severity === severity));
  const text = (label: string, detail: string) => wrapAfter(`  ${label.padEnd(6)}`, ' '.repeat(8), detail, width);
  const blocks = sorted.flatMap(({ severity, about, problem, evidence, fix }) => [
    ...wrapAfter(`${severity}: `, '  ', `${about} ${problem}`, width).map((line) => paint(COLOURS[severity], line)),
    ...text('seen', evidence),
    ...text('fix', fix),
    '',
  ]);
  const fine = checkups.filter((checkup) => checkup.findings.length === 0 && checkup.unread === undefined);
  const unread = checkups.filter((checkup) => checkup.unread !== undefined);
  const summary = [
    ...(fine.length > 0 ? wrapAfter('fine: ', '      ', fine.map(({ area }) => area).join(', '), width) : []),
    ...(seen.length > 0 ? wrapAfter('seen: ', '      ', seen.join(', '), width) : []),
    ...unread.flatMap(({ area, unread: why = '' }) => wrapAfter('could not check ', '  ', `${area}: ${why}`, width)),
    ...skipped.flatMap(({ part, add }) =>
      wrapAfter('not checked: ', '  ', add === undefined ? part : `${part}; add ${add}`, width),
    ),
    ...wrap(countText(findings, { left: unread.length + skipped.length, looked: fine.length }), width),
  ];
  return `${[...blocks, ...summary].join('\n')}\n`;
}

/** Mentions what was not checked, which would otherwise read as "fine". */
function countText(findings: readonly Finding[], { left, looked }: { left: number; looked: number }): string {
  const parts = ORDER.flatMap((severity) => {
    const number = findings.filter((finding) => finding.severity === severity).length;
    return number === 0 ? [] : [count(number, severity)];
  });
  if (parts.length > 0) return `${parts.join(', ')} found`;
  if (left === 0) return 'no problems found';
  return looked > 1
    ? 'no problems found in what was checked'
    : 'no problems found in the config; nothing else was checked';
}
