import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import type { Log } from '../../../shared/core/ports/ports';
import { START } from './kube-world';

export const STACK = 'arn:aws:cloudformation:ap-northeast-2:123456789012:stack/Headstart-demo/5c1f';

/** A request as CloudFormation sends it; all property values are text. */
export function request(
  RequestType: 'Create' | 'Update' | 'Delete',
  properties: Readonly<Record<string, string>> = {},
  more: {
    readonly PhysicalResourceId?: string;
    readonly LogicalResourceId?: string;
    readonly ResponseURL?: string;
    readonly OldResourceProperties?: object;
  } = {},
): CloudFormationCustomResourceEvent {
  return {
    RequestType,
    ServiceToken: 'arn:aws:lambda:ap-northeast-2:123456789012:function:demo',
    ResponseURL: 'https://cloudformation.example/answer?signature=secret',
    StackId: STACK,
    RequestId: '8b7d2f2e',
    ResourceType: 'Custom::HeadstartThing',
    LogicalResourceId: 'Thing',
    ResourceProperties: {
      ServiceToken: '',
      clusterName: 'demo',
      region: 'ap-northeast-2',
      access: 'entry',
      placed: 'false',
      ...properties,
    },
    ...(RequestType !== 'Create' && { PhysicalResourceId: 'thing', OldResourceProperties: {} }),
    ...more,
  } as CloudFormationCustomResourceEvent;
}

/** A clock that only moves while somebody waits. */
export function fakeClock() {
  let time = START;
  return {
    now: () => time,
    sleep: async (ms: number) => {
      time += ms;
    },
    passed: () => time - START,
  };
}

/** An error of AWS under the name that the SDK gives it. */
export function awsError(name: string, message = `${name} from AWS`): Error {
  return Object.assign(new Error(message), { name });
}

/** Remembers what was logged. */
export function memoryLog(): Log & { readonly lines: readonly string[] } {
  const lines: string[] = [];
  const write = (message: string, fields: object) => {
    lines.push(`${message} ${JSON.stringify(fields)}`);
  };
  return { lines, info: write, warn: write, error: write };
}
