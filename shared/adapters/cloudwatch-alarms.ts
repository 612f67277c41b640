import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import type { AlarmReading, AlarmStates } from '../core/ports/ports';

/** A silent CloudWatch must not keep windows from opening: the readings fail and the recorded states stay. */
const TIMEOUTS = { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true };
/** DescribeAlarms takes so many names at once. */
const NAMES_AT_ONCE = 100;

export interface CloudWatchAlarmsProps {
  readonly region: string;
  /** Another address, for an emulator. */
  readonly endpoint?: string;
}

/** Alarm states through @aws-sdk/client-cloudwatch, which is loaded only when alarms are asked for. */
export function cloudWatchAlarms({ region, endpoint }: CloudWatchAlarmsProps): AlarmStates {
  let client: CloudWatchClient | undefined;
  return {
    read: async (alarmNames) => {
      const { CloudWatchClient, paginateDescribeAlarms } = await import('./aws/cloudwatch');
      // Kept: a warm function keeps its connection.
      client ??= new CloudWatchClient({
        region,
        maxAttempts: 2,
        requestHandler: TIMEOUTS,
        ...(endpoint && { endpoint }),
      });
      const readings = new Map<string, AlarmReading>();
      for (let first = 0; first < alarmNames.length; first += NAMES_AT_ONCE) {
        const pages = paginateDescribeAlarms(
          { client },
          {
            AlarmNames: alarmNames.slice(first, first + NAMES_AT_ONCE),
            // Without the types composite alarms are left out.
            AlarmTypes: ['MetricAlarm', 'CompositeAlarm'],
            MaxRecords: NAMES_AT_ONCE,
          },
        );
        for await (const { MetricAlarms = [], CompositeAlarms = [] } of pages)
          for (const alarm of [...MetricAlarms, ...CompositeAlarms]) addReading(readings, alarm);
      }
      return readings;
    },
  };
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
