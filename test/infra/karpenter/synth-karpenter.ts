import { App, CfnWaitConditionHandle, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { KarpenterPrerequisites } from '../../../infra/karpenter/karpenter-prerequisites';
import type { Config } from '../../../shared/core/config/config';
import { configOf } from '../../shared/core/karpenter/config-of';

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly DependsOn?: readonly string[];
}

/** What was synthesized, with the ways to look at it that these tests need. */
export interface Synthesized {
  readonly app: App;
  readonly stack: Stack;
  readonly template: Template;
  /** Every resource of a type, by logical id. */
  readonly all: (type: string) => Readonly<Record<string, Resource>>;
  /** The only resource of a type. */
  readonly only: (type: string) => Resource;
  readonly outputs: readonly string[];
}

const known = new Map<string, Synthesized>();

/** A stack with Karpenter's prerequisites and one neighbour; functions are not bundled, and the same is made once. */
export function synthKarpenter(
  karpenter: object = {},
  written: Omit<Parameters<typeof configOf>[0], 'karpenter'> = {},
  context: Readonly<Record<string, string>> = {},
): Synthesized {
  const key = JSON.stringify([karpenter, written, context]);
  const config = configOf({ ...written, karpenter: { manage: true, ...karpenter } });
  const made = known.get(key) ?? synthConfig(config, context);
  known.set(key, made);
  return made;
}

export function synthConfig(config: Config, context: Readonly<Record<string, string>> = {}): Synthesized {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [], ...context } });
  const { region, account } = config.cluster;
  const stack = new Stack(app, 'Test', { env: { region, ...(account !== undefined && { account }) } });
  // Stands for the rest of the stack.
  new CfnWaitConditionHandle(stack, 'Neighbour');
  if (config.karpenter?.manage) new KarpenterPrerequisites(stack, 'Karpenter', { config });
  const template = Template.fromStack(stack);
  const all = (type: string) => template.findResources(type) as Record<string, Resource>;
  return {
    app,
    stack,
    template,
    all,
    only: (type) => {
      const [found, ...more] = Object.values(all(type));
      if (!found || more.length > 0) throw new Error(`there are ${more.length + (found ? 1 : 0)} of ${type}, not one`);
      return found;
    },
    outputs: Object.values(template.findOutputs('*')).map(({ Value }) => shown(Value)),
  };
}

/** A value with its references written as `<AWS::Partition>` or `<Queue.Arn>`, to compare as text. */
export function shown(value: unknown): string {
  return String(plain(value));
}

/** The same for a whole document. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const { Ref: ref, 'Fn::Join': join, 'Fn::GetAtt': getAtt } = value as Record<string, unknown>;
  if (typeof ref === 'string') return `<${ref}>`;
  if (Array.isArray(getAtt)) return `<${getAtt.join('.')}>`;
  if (Array.isArray(join)) return (join[1] as unknown[]).map(shown).join(String(join[0]));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
}

/** The role whose name starts so. */
export function roleNamed({ all }: Synthesized, start: string): Resource | undefined {
  return Object.values(all('AWS::IAM::Role')).find(({ Properties }) => String(Properties.RoleName).startsWith(start));
}

/** Who may take a role on. */
export function trustOf(role: Resource | undefined): readonly unknown[] {
  return (plain(role?.Properties.AssumeRolePolicyDocument) as { Statement: unknown[] }).Statement;
}

/** The statements of all managed policies. */
export function statementsOf({ all }: Synthesized): readonly Record<string, unknown>[] {
  return Object.values(all('AWS::IAM::ManagedPolicy')).flatMap(
    ({ Properties }) => (plain(Properties.PolicyDocument) as { Statement: Record<string, unknown>[] }).Statement,
  );
}

/** The roles that the controller may give to nodes. */
export function passableRoles(made: Synthesized): unknown {
  return statementsOf(made).find(({ Sid }) => Sid === 'AllowPassingInstanceRole')?.Resource;
}
