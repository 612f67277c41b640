import { isPattern } from '../../shared/adapters/files/config-glob';
import { durationText } from '../../shared/core/basics/duration';
import { count, moneyText } from '../../shared/drawing/amounts';
import { localTime } from '../../shared/drawing/local-time';
import { plus } from '../../shared/pricing/money';
import { type Report, reportOf } from '../../shared/report/report';
import { reportSvg } from '../../shared/report/report-svg';
import { wereUnread } from '../../shared/report/takes';
import { placeOf } from '../aws/assume-role';
import type { MetricRange } from '../aws/metric-data';
import { statuses as statusesOf } from '../functions/access';
import { openAccess } from '../functions/open-access';
import { withKept } from '../functions/with-live';
import type { AccessOptions } from '../input/access-options';
import { collectErrors } from '../input/collect-errors';
import { writeFileOrFail } from '../input/files';
import { loadOrFail } from '../input/load-or-fail';
import { readPast } from '../input/time';
import { read, readOr } from '../kube/read';
import { overClusters, type Said } from '../many/over-clusters';
import { EXIT } from '../terminal/exit';
import type { Terminal } from '../terminal/terminal';
import { drawReport, MAX_LISTED } from './draw-report';
import { readLines, recordedLines } from './read-lines';
import { keptRanges, readPeriods } from './read-periods';
import { readWaits } from './read-waits';

export interface ReportOptions extends AccessOptions {
  readonly from: string;
  readonly to: string;
  readonly prometheus?: string;
  readonly svg?: string;
}

const DAY = 86_400_000;
/** How long the log is kept unless the config says otherwise. */
const LOG_DAYS = 30;

export async function report(options: ReportOptions, terminal: Terminal): Promise<number> {
  if (isPattern(options.config))
    return overClusters(options, terminal, {
      run: report,
      said: saidOf,
      alone: ['kubeconfig', 'function', 'stack', 'prometheus', 'svg'],
    });
  const now = terminal.now();
  const [file, span] = collectErrors(
    () => loadOrFail(options, terminal),
    () => readPast(options, now),
  );
  const ranges = keptRanges(span.from, span.to, now);
  const place = await placeOf(options, file.cluster);
  const [periods, log, record, prometheus] = await Promise.all([
    readPeriods(file, place, ranges),
    read(readLines(file.cluster, place, span, options.function)),
    read(openAccess(options, file, terminal).then(statusesOf)),
    options.prometheus === undefined
      ? undefined
      : readWaits({ url: options.prometheus, token: process.env.PROMETHEUS_TOKEN }, file, span),
  ]);
  const statuses = readOr(record, []);
  const lines = [...readOr(log, []), ...statuses.flatMap(recordedLines)].sort((a, b) => a.at - b.at);
  const loggedFrom = log.ok ? now - (file.stack?.logRetentionDays ?? LOG_DAYS) * DAY : now;
  const starts = new Map(statuses.map(({ headroom, intents }) => [headroom, Object.values(intents.nodeStarts ?? {})]));
  const found = reportOf(withKept(file, statuses), span, { periods, lines, loggedFrom, starts, ...prometheus });
  const notes = [
    ...(span.from < loggedFrom ? [`${LOG_MISSING} before ${localTime('UTC', loggedFrom)} UTC`] : []),
    ...(log.ok ? [] : [`the log was not read: ${log.why}`]),
    ...(record.ok ? [] : [`the record, with the verdicts on the last occurrences, was not read: ${record.why}`]),
    ...(wereUnread(lines, span) ? [UNREAD] : []),
    ...ranges.slice(0, -1).map(coarseText),
    ...withoutNodeText(prometheus?.withoutNode ?? new Map()),
  ];
  if (options.svg !== undefined) writeFileOrFail(options.svg, reportSvg(found), '--svg');
  terminal.out(options.json ? reportJson(found, notes) : drawReport(found, terminal, { notes }));
  if (options.svg !== undefined) terminal.err(`wrote ${options.svg}\n`);
  return EXIT.ok;
}

const UNREAD =
  'preemptions were not read for an hour or longer (in the log: reading preemptions failed), so that what work took is a lower bound; doctor checks the rights';
const LOG_MISSING = 'no log: overrides, surges, causes, and what work took are not known';

function coarseText({ to, periodSeconds }: MetricRange): string {
  return `CloudWatch keeps only periods of ${durationText(periodSeconds)} of what was before ${localTime('UTC', to)} UTC: bounds are wider there, and what lasted for less than two periods is not seen`;
}

/** A pod without a node has no NodePool. */
function withoutNodeText(found: ReadonlyMap<string, number>): readonly string[] {
  const workloads = [...found].sort(([, a], [, b]) => b - a).map(([workload, pods]) => `${workload} (${pods})`);
  const more = workloads.length - MAX_LISTED;
  const list = [...workloads.slice(0, MAX_LISTED), ...(more > 0 ? [`${more} more workloads`] : [])].join(', ');
  return workloads.length === 0 ? [] : [`no node until the end, so that no NodePool is known for them: ${list}`];
}

/** Of one cluster of many. */
function saidOf({ pools, notes }: Report & { readonly notes: readonly string[] }): Said {
  const costs = pools.flatMap(({ inAll }) => inAll.costAtMost ?? []);
  const [first, ...others] = costs;
  const cost =
    first && others.every(({ currency }) => currency === first.currency) ? others.reduce(plus, first) : undefined;
  const taken = pools.reduce((sum, { inAll }) => sum + (inAll.takenAtLeast ?? 0), 0);
  const occurrences = pools.flatMap(({ windows }) => windows).flatMap((window) => window.occurrences);
  const late = occurrences.filter(({ verdict }) => verdict === 'late' || verdict === 'never').length;
  const parts = [
    ...(cost ? [`cost at most ${moneyText(cost)}`] : []),
    `work took ${taken}`,
    `${late} of ${count(occurrences.length, 'window')} late`,
    ...notes,
  ];
  return { text: parts.join('; '), trouble: late + notes.length };
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
