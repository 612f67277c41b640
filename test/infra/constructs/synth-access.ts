import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { ClusterAccess } from '../../../infra/constructs/cluster-access-grants';
import { ClusterEndpoint } from '../../../infra/constructs/cluster-endpoint-resource';
import { DeployReconcile } from '../../../infra/constructs/deploy-reconcile-resource';
import { HeadstartFunction, type Placement } from '../../../infra/constructs/headstart-function';
import { loadConfig } from '../../../shared/core/config/read/load';
import { formatProblem } from '../../../shared/core/config/yaml/problem';

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DependsOn?: readonly string[];
}

export interface Written {
  /** More keys of `cluster`. */
  readonly cluster?: string;
  readonly nodePools?: string;
  readonly rest?: string;
  readonly placement?: Placement;
  readonly outdir?: string;
  /** What `-c again=` is given. */
  readonly again?: string;
}

/** A stack with the access part and two functions; nothing is bundled. */
export function synthAccess({
  cluster = '',
  nodePools = 'default: {max: 4}',
  rest = '',
  placement,
  outdir,
  again,
}: Written = {}) {
  const text = `cluster: {name: demo, region: ap-northeast-2${cluster}}\n${rest}\nnodePools: {${nodePools}}\n`;
  const loaded = loadConfig([{ file: 'headroom.yaml', text }]);
  if (!loaded.ok) throw new Error(loaded.problems.map(formatProblem).join('\n'));
  const { config } = loaded;
  const context = { 'aws:cdk:bundling-stacks': [], ...(again !== undefined && { again }) };
  const app = new App({ context, ...(outdir !== undefined && { outdir }) });
  const stack = new Stack(app, 'Test', { env: { region: config.cluster.region } });
  const endpoint = new ClusterEndpoint(stack, 'Endpoint', config.cluster);
  const functionOf = (entry: string) =>
    new HeadstartFunction(stack, entry, { entry, description: entry, environment: endpoint.environment });
  const functions = { reconcile: functionOf('reconcile'), inflate: functionOf('inflate') };
  const access = new ClusterAccess(stack, 'Access', { config, endpoint, functions, ...(placement && { placement }) });
  new DeployReconcile(stack, 'Deploy', { config, reconcile: functions.reconcile, after: [access] });
  const template = Template.fromStack(stack);
  const { Resources } = template.toJSON() as { readonly Resources: Readonly<Record<string, Resource>> };
  const ids = (type: string) => Object.keys(Resources).filter((id) => Resources[id]?.Type === type);
  return {
    app,
    config,
    template,
    resources: Resources,
    ids,
    only: (type: string) => {
      const [id = '', ...more] = ids(type);
      const found = Resources[id];
      if (!found || more.length > 0) throw new Error(`expected one ${type}, got ${[id, ...more].join(', ')}`);
      return { id, ...found };
    },
    outputs: template.findOutputs('*') as Readonly<Record<string, { readonly Value: unknown }>>,
  };
}

export type Synthesized = ReturnType<typeof synthAccess>;

/** What a role may do, as `action on resource`, logs and network interfaces left out. */
export function rightsOf({ resources }: Synthesized, roleId: string): readonly string[] {
  return Object.values(resources)
    .filter(
      ({ Type, Properties }) => Type === 'AWS::IAM::Policy' && JSON.stringify(Properties.Roles).includes(`"${roleId}"`),
    )
    .flatMap(({ Properties }) => (Properties.PolicyDocument as { Statement: Statement[] }).Statement)
    .flatMap(({ Action, Resource }) => [Action].flat().map((action) => `${action} on ${shown(Resource)}`))
    .filter((right) => !/^(logs|ec2):/.test(right));
}

interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
}

/** A value with its references written as `<AWS::Partition>`. */
export function shown(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { Ref: ref, 'Fn::Join': join, 'Fn::GetAtt': getAtt } = value as Record<string, unknown>;
  if (typeof ref === 'string') return `<${ref}>`;
  if (Array.isArray(getAtt)) return `<${getAtt.join('.')}>`;
  if (Array.isArray(join)) return (join[1] as unknown[]).map(shown).join(String(join[0]));
  return JSON.stringify(value);
}

/** Whether one resource is made only after another, on any way. */
export function comesAfter({ resources }: Synthesized, later: string, earlier: string): boolean {
  const seen = new Set<string>();
  const visit = (id: string): boolean => {
    if (id === earlier) return true;
    const resource = resources[id];
    if (seen.has(id) || !resource) return false;
    seen.add(id);
    return [...(resource.DependsOn ?? []), ...referencesIn(resource.Properties)].some(visit);
  };
  return later !== earlier && visit(later);
}

function referencesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { Ref: ref, 'Fn::GetAtt': getAtt } = value as Record<string, unknown>;
  if (typeof ref === 'string') return [ref];
  if (Array.isArray(getAtt)) return [String(getAtt[0])];
  return Object.values(value).flatMap(referencesIn);
}
