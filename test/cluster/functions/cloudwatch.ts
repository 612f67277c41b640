import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AlarmState } from '../../../shared/core/events/event';

/** As much of CloudWatch as the functions ask for. */
export interface CloudWatch {
  readonly url: string;
  setAlarm(name: string, state: AlarmState, at: number): void;
  close(): Promise<void>;
}

/** Starts a CloudWatch that knows the alarms that it is told of. */
export async function startCloudWatch(): Promise<CloudWatch> {
  const alarms = new Map<string, object>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (!request.headers['x-amz-target']?.toString().endsWith('.DescribeAlarms')) {
        response.writeHead(400).end(JSON.stringify({ __type: 'UnknownOperationException' }));
        return;
      }
      const question: { readonly AlarmNames?: readonly string[] } = JSON.parse(Buffer.concat(parts).toString('utf8'));
      response.setHeader('content-type', 'application/x-amz-json-1.0');
      response.end(
        JSON.stringify({ MetricAlarms: (question.AlarmNames ?? []).flatMap((name) => alarms.get(name) ?? []) }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setAlarm: (name, state, at) =>
      void alarms.set(name, { AlarmName: name, StateValue: state, StateTransitionedTimestamp: at / 1000 }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
