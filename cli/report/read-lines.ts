import type { ClusterConfig } from '../../shared/core/config/config';
import { startIn, windowIn } from '../../shared/core/occurrences/occurrence-key';
import type { HeadroomStatus } from '../../shared/core/status';
import { type LogLine, MESSAGES } from '../../shared/report/history';
import type { AwsPlace } from '../aws/assume-role';
import { queryLogs } from '../aws/logs-insights';
import { stackOf, stackResources } from '../aws/stack-resources';
import { plainAll } from '../terminal/plain';

export async function readLines(
  cluster: ClusterConfig,
  place: AwsPlace,
  { from, to }: { readonly from: number; readonly to: number },
  given?: string,
): Promise<readonly LogLine[]> {
  const resources = await stackResources(await stackOf(cluster, place, given), place);
  const groups = resources.filter(({ type }) => type === 'AWS::Logs::LogGroup').map(({ id }) => id);
  const seconds = { from: Math.floor(from / 1_000), to: Math.ceil(to / 1_000) };
  return plainAll(await queryLogs({ place, groups, messages: Object.values(MESSAGES), ...seconds }));
}

/** The record's verdicts on the last occurrences, as the functions have logged them. */
export function recordedLines({ headroom, intents }: HeadroomStatus): readonly LogLine[] {
  return Object.entries(intents.requests ?? {}).flatMap(([key, { at, ready, why }]): LogLine[] => {
    const occurrence = { headroom, window: windowIn(key), start: new Date(startIn(key)).toISOString(), why };
    if (ready !== undefined) return [{ at: ready, message: MESSAGES.ready, ...occurrence }];
    return why === undefined ? [] : [{ at, message: MESSAGES.late, ...occurrence }];
  });
}
