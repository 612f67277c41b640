import type { AlarmType, CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import type { AlarmReading, AlarmStates } from '../core/ports/ports';
import { abortAt } from './abort-at';
import { freshAfterIdle } from './fresh-after-idle';

/** A silent CloudWatch must not keep windows from opening: the readings fail and the recorded states stay. */
const TIMEOUTS = { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true };
/** DescribeAlarms takes so many names at once. */
const NAMES_AT_ONCE = 100;

export interface CloudWatchAlarmsProps {
  readonly region: string;
  /** Another address, for an emulator. */
  readonly endpoint?: string;
}

/** Alarm states as CloudWatch tells them. */
export interface CloudWatchAlarms extends AlarmStates {
  /** The same, for an invocation that must be over by then. */
  until(deadline: number): AlarmStates;
}

/** Alarm states through @aws-sdk/client-cloudwatch, which is loaded only when alarms are asked for. */
export function cloudWatchAlarms(props: CloudWatchAlarmsProps): CloudWatchAlarms {
  const sdk = () => import('./aws/cloudwatch');
  const clients = freshAfterIdle(
    async () => newClient(await sdk(), props),
    (old) => void old.then((client) => client.destroy()).catch(() => {}),
  );
  const until = (deadline: number): AlarmStates => ({
    read: async (alarmNames) => {
      const made = clients.get(Date.now());
      try {
        return await readAlarms(await sdk(), await made, alarmNames, deadline);
      } catch (error) {
        clients.drop(made);
        throw error;
      }
    },
  });
  return { ...until(Number.POSITIVE_INFINITY), until };
}

type Sdk = typeof import('./aws/cloudwatch');

function newClient({ CloudWatchClient }: Sdk, { region, endpoint }: CloudWatchAlarmsProps): CloudWatchClient {
  return new CloudWatchClient({ region, maxAttempts: 2, requestHandler: TIMEOUTS, ...(endpoint && { endpoint }) });
}

async function readAlarms(
  { paginateDescribeAlarms }: Sdk,
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
