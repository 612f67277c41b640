import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AlarmState } from '../../../shared/core/events/event';

/** Why CloudWatch holds a composite alarm's actions back: its suppressor is in ALARM, may be, or was. */
export type Suppression = 'Alarm' | 'WaitPeriod' | 'ExtensionPeriod';

/** As much of CloudWatch as the functions ask for. */
export interface CloudWatch {
  readonly url: string;
  setAlarm(name: string, state: AlarmState, at: number): void;
  /** A composite alarm, whose actions something may suppress. */
  setCompositeAlarm(name: string, state: AlarmState, at: number, suppressedBy?: Suppression): void;
  close(): Promise<void>;
}

/** Starts a CloudWatch that knows the alarms that it is told of. */
export async function startCloudWatch(): Promise<CloudWatch> {
  const metric = new Map<string, object>();
  const composite = new Map<string, object>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (!request.headers['x-amz-target']?.toString().endsWith('.DescribeAlarms')) {
        response.writeHead(400).end(JSON.stringify({ __type: 'UnknownOperationException' }));
        return;
      }
      const question: Question = JSON.parse(Buffer.concat(parts).toString('utf8'));
      response.setHeader('content-type', 'application/x-amz-json-1.0');
      response.end(JSON.stringify(answerTo(question, { metric, composite })));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setAlarm: (name, state, at) => void metric.set(name, described(name, state, at)),
    setCompositeAlarm: (name, state, at, suppressedBy) =>
      void composite.set(name, {
        ...described(name, state, at),
        ...(suppressedBy && { ActionsSuppressedBy: suppressedBy, ActionsSuppressor: 'deploying' }),
      }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Question {
  readonly AlarmNames?: readonly string[];
  readonly AlarmTypes?: readonly string[];
}

interface Alarms {
  readonly metric: ReadonlyMap<string, object>;
  readonly composite: ReadonlyMap<string, object>;
}

/** Who does not ask for composite alarms does not get any, as in CloudWatch. */
function answerTo({ AlarmNames = [], AlarmTypes = ['MetricAlarm'] }: Question, { metric, composite }: Alarms) {
  const found = (type: string, alarms: ReadonlyMap<string, object>) =>
    AlarmTypes.includes(type) ? AlarmNames.flatMap((name) => alarms.get(name) ?? []) : [];
  return { MetricAlarms: found('MetricAlarm', metric), CompositeAlarms: found('CompositeAlarm', composite) };
}

function described(name: string, state: AlarmState, at: number) {
  return { AlarmName: name, StateValue: state, StateTransitionedTimestamp: at / 1000 };
}
