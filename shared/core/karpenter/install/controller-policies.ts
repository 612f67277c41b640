import templates from './controller-policies.json';

export interface Statement {
  readonly Sid: string;
  readonly Effect: 'Allow';
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

export interface ControllerPolicy {
  /** As in Karpenter's own template, without its `KarpenterController` prefix. */
  readonly name: string;
  readonly statements: readonly Statement[];
}

export interface PolicyScope {
  readonly partition: string;
  readonly region: string;
  readonly account: string;
  /** A literal: it becomes part of condition keys, where CloudFormation resolves no references. */
  readonly clusterName: string;
  readonly nodeRoleArns: readonly string[];
  /** Absent if Karpenter handles no interruptions. */
  readonly queueArn?: string;
}

/**
 * The controller policies of Karpenter 1.13 to 1.14, statement by statement.
 * @see https://karpenter.sh/docs/reference/cloudformation/
 */
export function controllerPolicies(scope: PolicyScope): readonly ControllerPolicy[] {
  const { queueArn = '', nodeRoleArns } = scope;
  const values: Readonly<Record<string, string>> = {
    Partition: scope.partition,
    Region: scope.region,
    Account: scope.account,
    ClusterName: scope.clusterName,
    QueueArn: queueArn,
  };
  const roles = nodeRoleArns.length === 1 ? nodeRoleArns[0] : nodeRoleArns;
  return Object.entries(templates)
    .filter(([name]) => name !== 'InterruptionPolicy' || queueArn !== '')
    .map(([name, statements]) => ({
      name,
      statements: filledIn(statements, values, { '<NodeRoleArns>': roles }) as readonly Statement[],
    }));
}

/** Fills in `${Name}` in the keys and texts of a JSON value, and replaces whole texts by `others`. */
export function filledIn(
  value: unknown,
  values: Readonly<Record<string, string>>,
  others: Readonly<Record<string, unknown>> = {},
): unknown {
  const fill = (text: string) => text.replace(/\$\{(\w+)\}/g, (placeholder, name) => values[name] ?? placeholder);
  if (typeof value === 'string') return others[value] ?? fill(value);
  if (Array.isArray(value)) return value.map((one) => filledIn(one, values, others));
  return Object.fromEntries(
    Object.entries(value as object).map(([key, one]) => [fill(key), filledIn(one, values, others)]),
  );
}
