import type { AlarmStates } from '../../core/ports/ports';
import { freshAfterIdle } from '../http/fresh-after-idle';
import type { AwsCredentials } from './presign';

export interface CloudWatchAlarmsProps {
  readonly region: string;
  /** Another address, for an emulator. */
  readonly endpoint?: string;
  /** @default those of the environment */
  readonly credentials?: AwsCredentials;
}

export interface CloudWatchAlarms extends AlarmStates {
  /** The same, for an invocation with a deadline. */
  until(deadline: number): AlarmStates;
}

/** Alarm states through @aws-sdk/client-cloudwatch, which is loaded only when alarms are read. */
export function cloudWatchAlarms(props: CloudWatchAlarmsProps): CloudWatchAlarms {
  const sdk = () => import('./cloudwatch');
  const clients = freshAfterIdle(
    async () => (await sdk()).newClient(props),
    (old) => void old.then((client) => client.destroy()).catch(() => {}),
  );
  const until = (deadline: number): AlarmStates => ({
    read: async (alarmNames) => {
      const made = clients.get(Date.now());
      try {
        const { readAlarms } = await sdk();
        return await readAlarms(await made, alarmNames, deadline);
      } catch (error) {
        clients.drop(made);
        throw error;
      }
    },
  });
  return { ...until(Number.POSITIVE_INFINITY), until };
}
