// Everything that needs the SDK's client, so that a function loads it only when it reads alarms. Named imports
// keep the other commands out of the bundle.
import {
  type AlarmType,
  CloudWatchClient,
  type CloudWatchClientConfig,
  paginateDescribeAlarms,
} from '@aws-sdk/client-cloudwatch';
import type { AlarmReading } from '../../core/ports/ports';
import { abortAt } from './abort-at';

/** A CloudWatch that does not answer must not delay windows: the reading fails and the recorded states stay. */
const TIMEOUTS = { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true };
/** The most names that DescribeAlarms takes at once. */
const NAMES_AT_ONCE = 100;

export function newClient(props: CloudWatchClientConfig): CloudWatchClient {
  return new CloudWatchClient({ ...props, maxAttempts: 2, requestHandler: TIMEOUTS });
}

export async function readAlarms(
  client: CloudWatchClient,
  alarmNames: readonly string[],
  deadline: number,
): Promise<ReadonlyMap<string, AlarmReading>> {
  const readings = new Map<string, AlarmReading>();
  for (let first = 0; first < alarmNames.length; first += NAMES_AT_ONCE) {
    const query = {
      AlarmNames: alarmNames.slice(first, first + NAMES_AT_ONCE),
      // Without the types composite alarms are left out.
      AlarmTypes: ['MetricAlarm', 'CompositeAlarm'] satisfies AlarmType[],
      MaxRecords: NAMES_AT_ONCE,
    };
    for await (const page of paginateDescribeAlarms({ client }, query, abortAt(deadline)))
      for (const alarm of [...(page.MetricAlarms ?? []), ...(page.CompositeAlarms ?? [])]) addReading(readings, alarm);
  }
  return readings;
}

interface DescribedAlarm {
  readonly AlarmName?: string | undefined;
  readonly StateValue?: AlarmReading['state'] | undefined;
  readonly StateTransitionedTimestamp?: Date | undefined;
  readonly StateUpdatedTimestamp?: Date | undefined;
}

/** The time of the transition, not of the last evaluation: the hold counts from it. */
function addReading(readings: Map<string, AlarmReading>, alarm: DescribedAlarm): void {
  const at = alarm.StateTransitionedTimestamp ?? alarm.StateUpdatedTimestamp;
  if (alarm.AlarmName && alarm.StateValue && at)
    readings.set(alarm.AlarmName, { state: alarm.StateValue, at: at.getTime() });
}
