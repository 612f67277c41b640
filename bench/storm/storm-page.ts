import { ROWS_PER_PAGE } from '../../shared/adapters/kube/list-in-pages';
import type { Delivered } from '../../test/cluster/functions/queue';
import { VERSIONS } from '../../test/cluster/harness/build/versions';
import { time } from '../cluster/statistics';
import type { Storm } from './notices';
import { pollerTable } from './poller-table';

/** What came of one storm. */
export interface Row {
  readonly storm: Storm;
  readonly batchSize: number;
  readonly delivered: Delivered;
  readonly tookMs: number;
  /** The time of its lists of NodeClaims, measured without the storm. */
  readonly listsMs?: number;
  readonly reads: number;
  readonly writes: number;
  readonly conflicts: number;
  /** Calls that failed for another reason than a conflict. */
  readonly failedCalls: number;
  /** Notices whose node counts nowhere in the end. */
  readonly lost: number;
  /** Nodes by which the headroom is larger than the notices say. */
  readonly doubled: number;
}

export function stormTable(rows: readonly Row[]): string {
  return [
    '| notices | batches of | messages (foreign, doubled, malformed) | invocations | API calls: reads, writes | conflicts | other failures | redelivered | all counted after | per notice | slowest invocation | memory | lost | counted twice | dead letters |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|',
    ...rows.map(({ storm, delivered, ...row }) =>
      [
        '',
        storm.own.length,
        row.batchSize,
        `${storm.bodies.length} (${storm.foreign}, ${storm.doubled}, ${storm.malformed})`,
        delivered.invocations,
        `${row.reads}, ${row.writes}`,
        row.conflicts,
        row.failedCalls,
        delivered.redelivered,
        time(row.tookMs),
        time(perNotice({ storm, ...row })),
        time(delivered.slowestMs),
        `${Math.round(delivered.memoryBytes / 2 ** 20)} MiB`,
        row.lost,
        row.doubled,
        delivered.deadLetters,
        '',
      ]
        .join(' | ')
        .trim(),
    ),
  ].join('\n');
}

function perNotice({ storm, tookMs }: Pick<Row, 'storm' | 'tookMs'>): number {
  return tookMs / storm.own.length;
}

/** The one that took neither the most nor the least time; what went wrong in any of them stays visible. */
export function medianStorm(storms: readonly Row[]): Row {
  const [typical] = [...storms].sort((a, b) => a.tookMs - b.tookMs).slice(Math.floor(storms.length / 2));
  if (!typical) throw new Error('no storm was measured');
  const sum = (key: 'lost' | 'doubled' | 'failedCalls') => storms.reduce((total, one) => total + one[key], 0);
  return { ...typical, lost: sum('lost'), doubled: sum('doubled'), failedCalls: sum('failedCalls') };
}

/** How much more a notice costs in the largest storm than in the one before it. */
function growth(rows: readonly Row[]): string {
  const [smaller, largest] = rows.slice(-2);
  if (!smaller || !largest) return '';
  const ratio = (perNotice(largest) / perNotice(smaller)).toFixed(2);
  const text = `A notice costs ${ratio} times as much in a storm of ${largest.storm.own.length} as in one of ${smaller.storm.own.length} (each the middle one of three storms; target: at most 1.5).`;
  const { listsMs: before } = smaller;
  const { listsMs: after } = largest;
  if (before === undefined || after === undefined) return text;
  const without =
    perNotice({ ...largest, tookMs: largest.tookMs - after }) /
    perNotice({ ...smaller, tookMs: smaller.tookMs - before });
  return `${text} Every batch reads the table of all NodeClaims, in pages of ${ROWS_PER_PAGE}: as many lists and nothing else take ${time(before)} for ${smaller.storm.own.length} and ${time(after)} for ${largest.storm.own.length}. Without them the ratio would be ${without.toFixed(2)}.`;
}

export function stormPage(rows: readonly Row[], machine: string, pools: number): string {
  return `## Storms of interruption notices

\`npm run bench -- storm\`, ${machine}. Kubernetes ${VERSIONS.kubernetes} runs as plain processes on this machine, with its controllers, which write to the same Deployments; a quota keeps their pods out, because nothing here would run them. The cluster has as many NodeClaims as there are notices, spread over ${pools} NodePools: every node is about to go. The notices pass through the deployed \`interruption\` bundle as SQS delivers them: shuffled, in batches, to two processes at once; what fails comes again after the queue's visibility timeout. The sizes are those of Karpenter's own interruption benchmark. Beside the notices that count, each storm has notices of other clusters, notices that come twice, and messages that cannot be read. Targets: nothing lost, nothing counted twice, 15,000 within 60 s.

${stormTable(rows)}

A notice is lost if its node is in no record at the end. *Counted twice* is headroom beyond the number of nodes. Both must be 0, in every storm. ${growth(rows)}

### How full Lambda makes a batch

${pollerTable(rows)}`;
}
