import { formatDuration, parseDuration } from '../../shared/core/basics/duration';
import { messageOf } from '../../shared/core/basics/errors';
import type { PoolStatus } from '../../shared/core/status';
import { localTime } from '../../shared/drawing/local-time';
import { type Report, reportOf } from '../../shared/report/report';
import { reportSvg } from '../../shared/report/report-svg';
import type { MetricRange } from '../access/metric-data';
import { openAccess } from '../access/open-access';
import type { AccessOptions } from '../access/options';
import { withKept } from '../access/with-live';
import { collectErrors } from '../input/collect-errors';
import { writeFileOrFail } from '../input/files';
import { loadOrFail } from '../input/load-config';
import { readEnd, readTime } from '../input/time';
import { EXIT } from '../terminal/exit';
import type { Terminal } from '../terminal/terminal';
import { drawReport } from './draw-report';
import { readLines, recordedLines } from './read-lines';
import { keptRanges, readPeriods } from './read-periods';

export interface ReportOptions extends AccessOptions {
  readonly from: string;
  readonly to: string;
  readonly svg?: string;
  readonly json?: boolean;
}

/** Shows what headroom cost and brought: from its metrics, the functions' log and the record. */
export async function report(options: ReportOptions, terminal: Terminal): Promise<number> {
  const now = terminal.now();
  const [file, span] = collectErrors(
    () => loadOrFail(options, terminal),
    () => {
      const ago = parseDuration(options.from);
      const from = ago === undefined ? readTime(options.from, '--from', now) : now - ago * 1_000;
      return { from, to: readEnd(options.to, '--to', from, now) };
    },
  );
  const missing: string[] = [];
  const orMissing = <T>(what: string, reading: Promise<readonly T[]>): Promise<readonly T[]> =>
    reading.catch((error: unknown) => {
      missing.push(`${what}: ${messageOf(error)}`);
      return [];
    });
  const ranges = keptRanges(span.from, span.to, now);
  const [periods, logged, statuses] = await Promise.all([
    readPeriods(file, ranges),
    orMissing(
      'without the log, which has overrides, surges and causes',
      readLines(file.cluster, span, options.function),
    ),
    orMissing('without the record, which has the last verdicts', readStatuses()),
  ]);
  const lines = [...logged, ...statuses.flatMap(recordedLines)].sort((a, b) => a.at - b.at);
  const found = reportOf(withKept(file, statuses), span, { periods, lines });
  const notes = [...missing, ...ranges.slice(0, -1).map(coarseText)];
  if (options.svg !== undefined) writeFileOrFail(options.svg, reportSvg(found), '--svg');
  terminal.out(options.json ? reportJson(found, notes) : drawReport(found, terminal, { notes }));
  if (options.svg !== undefined) terminal.err(`wrote ${options.svg}\n`);
  return EXIT.ok;

  async function readStatuses(): Promise<readonly PoolStatus[]> {
    const response = await (await openAccess(options, file, terminal)).send({ status: true });
    return 'status' in response ? response.status : [];
  }
}

function coarseText({ to, periodSeconds }: MetricRange): string {
  return `until ${localTime('UTC', to)} UTC CloudWatch keeps periods of ${formatDuration(periodSeconds)} only: bounds are wider, and what lasted less than two of them is not seen`;
}

const TIMES = ['from', 'to', 'requestedAt', 'start', 'end', 'at', 'until'];

function reportJson(found: Report, notes: readonly string[]): string {
  const plain = (key: string, value: unknown) => {
    if (['pool', 'price', 'periods'].includes(key)) return undefined;
    if (key === 'window') return (value as { name: string }).name;
    return TIMES.includes(key) && typeof value === 'number' ? new Date(value).toISOString() : value;
  };
  return `${JSON.stringify({ ...found, notes }, plain, 2)}\n`;
}
