import type { Emulator } from './emulator';
import { queryCall } from './query-call';

/** A stack as CloudFormation shows it after a deploy. */
export interface DeployedStack {
  /** How many resources of each type were made. */
  readonly made: Readonly<Record<string, number>>;
  /** The types of which the emulator only kept a record. */
  readonly recordedOnly: readonly string[];
  /** Outputs by the end of their key. */
  readonly output: (end: string) => string | undefined;
}

export async function deployedStack(emulator: Emulator, name: string): Promise<DeployedStack> {
  const call = (Action: string) => queryCall(emulator, 'cloudformation', { Action, StackName: name });
  const resources = membersOf(await call('DescribeStackResources'), 'ResourceType', 'PhysicalResourceId');
  const outputs = membersOf(await call('DescribeStacks'), 'OutputKey', 'OutputValue');
  const made: Record<string, number> = {};
  const recordedOnly = new Set<string>();
  for (const { ResourceType: type = '', PhysicalResourceId: id = '' } of resources)
    if (id.startsWith('recorded-only')) recordedOnly.add(type);
    else made[type] = (made[type] ?? 0) + 1;
  return {
    made,
    recordedOnly: [...recordedOnly].sort(),
    output: (end) =>
      outputs.find(({ OutputKey = '' }) => OutputKey.replace(/[0-9A-F]{8}$/, '').endsWith(end))?.OutputValue,
  };
}

/** The list items of an answer that have all of these fields. */
function membersOf(xml: string, ...fields: readonly string[]): readonly Partial<Record<string, string>>[] {
  return xml
    .split('<member>')
    .map((member) =>
      Object.fromEntries(fields.map((field) => [field, new RegExp(`<${field}>([^<]*)</${field}>`).exec(member)?.[1]])),
    )
    .filter((member) => fields.every((field) => member[field] !== undefined));
}
