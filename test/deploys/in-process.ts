import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { handleClusterEndpoint } from '../../lambdas/deploy/handlers/handle-cluster-endpoint';
import { AS_APPLIED, handleClusterObjects, NOTHING_LEFT } from '../../lambdas/deploy/handlers/handle-cluster-objects';
import { type DailyDropEvent, handleDailyDrop } from '../../lambdas/deploy/handlers/handle-daily-drop';
import { handleDeployReconcile } from '../../lambdas/deploy/handlers/handle-deploy-reconcile';
import { handleDiscoveryTags } from '../../lambdas/deploy/handlers/handle-discovery-tags';
import { handleDropAdmin } from '../../lambdas/deploy/handlers/handle-drop-admin';
import { handleKarpenterCheck } from '../../lambdas/deploy/handlers/handle-karpenter-check';
import type { DeployedObjects } from '../../lambdas/deploy/objects/deployed-objects';
import { changeObjects } from '../../lambdas/deploy/objects/object-changes';
import type { ObjectOutcome, ObjectsRequest } from '../../lambdas/deploy/objects/objects-request';
import { type CustomResourceHandler, customResource } from '../../lambdas/deploy/protocol/custom-resource';
import { isPassingAwsError, untilAdmitted } from '../../lambdas/deploy/protocol/retry-until-admitted';
import { type ClusterDescription, ClusterNotReadyError } from '../../shared/adapters/aws/describe-cluster';
import type { AssociatedPolicy } from '../../shared/adapters/aws/drop-access-policy';
import { functionError } from '../../shared/adapters/aws/invoke-function';
import { withClusterErrorType } from '../../shared/adapters/kube/cluster-error';
import { loopbackConnection } from '../../shared/adapters/kube/connection';
import { type KubeTransport, kubeTransport } from '../../shared/adapters/kube/kube-transport';
import { doubling, retry } from '../../shared/core/basics/retry';
import type { ClusterNetwork } from '../../shared/core/karpenter/install/discovery-tags';
import type { Log } from '../../shared/core/ports/ports';
import { OPEN } from '../lambdas/deploy/facts';
import { awsError } from '../lambdas/deploy/requests';
import { ACCOUNT, type Account, REGION } from './account';
import { sendThrough } from './kube-door';
import type { CustomAnswer, CustomEvent, DeployedFunction } from './providers';

export interface InProcessProps {
  readonly account: Account;
  readonly functions: Map<string, DeployedFunction>;
  readonly clock: { now(): number; sleep(ms: number): Promise<void> };
  readonly log: Log;
  /** The roles that rang because they may have stayed admin. */
  readonly rung: string[];
}

/** What a type of custom resource may still say when its failure is forgiven, as in `lambdas/deploy/`. */
const FORGIVEN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ClusterObjects: { LeftToDelete: NOTHING_LEFT, Changed: AS_APPLIED },
  DeployReconcile: { Outcome: 'failed' },
  DiscoveryTags: { Outcome: 'failed' },
};

/** Runs the handlers of the deployed functions in this process, against the account, each call as its own role. */
export function inProcess({ account, functions, clock, log, rung }: InProcessProps) {
  const { now, sleep } = clock;
  const deadline = Number.POSITIVE_INFINITY;
  let calls = 0;
  const functionAt = (arn: string) => {
    const found = functions.get(arn);
    if (!found) throw awsError('ResourceNotFoundException', `Function not found: ${arn}`);
    return found;
  };
  const portsOf = (principal: string) => {
    const allowed = (action: string, resource: string) => account.authorize({ principal, action, resource });
    return {
      now,
      sleep,
      log,
      deadline,
      allowed,
      describe: async (name: string): Promise<ClusterDescription | undefined> => {
        await allowed('eks:DescribeCluster', clusterArn(name));
        const { cluster } = account;
        if (!cluster) return undefined;
        const { id, status } = cluster;
        if (status === 'CREATING' || status === 'FAILED') throw new ClusterNotReadyError(name, REGION, status);
        return { ...OPEN, id, status };
      },
      // The adapter's own tries.
      stackStatus: (stackId: string) =>
        retry(
          async () => {
            await allowed('cloudformation:DescribeStacks', stackId);
            return account.stacks.get(stackId)?.() ?? '';
          },
          { sleep, delayMs: (_error, attempt) => (attempt < 5 ? doubling(1_000, attempt) : undefined) },
        ),
      dropAdmin: async ({ principalArn, policyArn }: AssociatedPolicy) => {
        const arn = account.cluster?.entries.get(principalArn)?.arn ?? entryArn(principalArn);
        try {
          await allowed('eks:DisassociateAccessPolicy', arn);
          account.disassociate(principalArn, policyArn);
        } catch (error) {
          if ((error as Error).name === 'ResourceNotFoundException') return;
          await allowed('eks:ListAssociatedAccessPolicies', arn);
          if (account.associated(principalArn).has(policyArn)) throw error;
        }
      },
      dropOld: async (policy: AssociatedPolicy, before: number) => {
        const { principalArn, policyArn } = policy;
        const entry = account.cluster?.entries.get(principalArn);
        await allowed('eks:ListAssociatedAccessPolicies', entry?.arn ?? entryArn(principalArn));
        const since = entry?.policies.get(policyArn);
        if (since === undefined || since >= before) return undefined;
        await portsOf(principal).dropAdmin(policy);
        return new Date(since).toISOString();
      },
      invoke: async (functionName: string, payload: unknown) => {
        await allowed('lambda:InvokeFunction', functionName);
        return runInvoked(functionAt(functionName), payload).catch((error: unknown) => {
          const { name: errorType, message: errorMessage } = withClusterErrorType(error) as Error;
          throw functionError(JSON.stringify({ errorType, errorMessage }));
        });
      },
    };
  };

  const transportOf = (principal: string): KubeTransport => {
    const send = sendThrough((request) => {
      const { cluster } = account;
      if (!cluster || (cluster.status !== 'ACTIVE' && cluster.status !== 'UPDATING'))
        throw new Error('no response within 5000 ms');
      // One of two API servers learns of a new entry late.
      const delay = ++calls % 2 === 0 ? 0 : account.temper.entryDelayMs;
      return cluster.door.respond(cluster.entries.get(principal), now() - delay, request);
    });
    return kubeTransport(loopbackConnection('http://127.0.0.1:9'), { now, sleep, random: () => 0.5, send });
  };

  /** The functions that another function invokes. */
  async function runInvoked({ id, roleArn, code }: DeployedFunction, payload: unknown): Promise<unknown> {
    const ports = { ...portsOf(roleArn), connect: async () => transportOf(roleArn) };
    if (id.includes('ObjectsChange'))
      return changeObjects(payload as ObjectsRequest, {
        ...ports,
        headroomOwner: 'owner',
        deployed: code as DeployedObjects,
      });
    if (id.includes('HelmCheck')) return handleKarpenterCheck(payload as CloudFormationCustomResourceEvent, ports);
    const namespace = String(code);
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments/headroom-default`;
    await transportOf(roleArn).apply(path, headroom(namespace), 'headstart');
    return { decisions: [{ headroom: 'default', from: 0, replicas: 2 }] };
  }

  const handlerOf = (type: string, principal: string): CustomResourceHandler => {
    const ports = portsOf(principal);
    switch (type) {
      case 'ClusterEndpoint':
        return (event) => handleClusterEndpoint(event, ports);
      case 'ClusterObjects':
        return (event) =>
          handleClusterObjects(event, {
            ...ports,
            send: (name, _region, sent) => ports.invoke(name, sent) as Promise<ObjectOutcome>,
            ring: () => void rung.push(principal),
          });
      case 'DeployReconcile':
        return (event) =>
          handleDeployReconcile(event, { ...ports, invoke: (name, _region, tick) => ports.invoke(name, tick) });
      case 'DiscoveryTags':
        return (event) => handleDiscoveryTags(event, { ...ports, network: async () => guarded(account, principal) });
      case 'DropAdmin':
        return (event) => handleDropAdmin(event, ports);
      case 'KarpenterCheck':
        // As `relay` does it.
        return async (event) => {
          if (event.RequestType === 'Delete') return { physicalResourceId: event.PhysicalResourceId };
          const { functionName } = event.ResourceProperties as unknown as { functionName: string };
          return untilAdmitted(ports, isPassingAwsError)(() => ports.invoke(functionName, event)) as never;
        };
      default:
        throw new Error(`no handler for ${type}`);
    }
  };

  return {
    transportOf,
    /** As EventBridge Scheduler does. */
    call: async (arn: string, event: unknown): Promise<void> => {
      const { roleArn } = functionAt(arn);
      const ports = { ...portsOf(roleArn), ring: () => void rung.push(roleArn) };
      await handleDailyDrop(event as DailyDropEvent, ports, deadline);
    },
    /** Hands one request to its function, and gives what arrives. */
    answer: async (event: CustomEvent): Promise<CustomAnswer | undefined> => {
      const { roleArn } = functionAt(event.ServiceToken);
      const type = event.ResourceType.replace('Custom::Headstart', '');
      let answer: CustomAnswer | undefined;
      const send = async (_url: string, body: string) => {
        answer = JSON.parse(body) as CustomAnswer;
      };
      const ports = { ...portsOf(roleArn), send };
      await customResource(
        handlerOf(type, roleArn),
        ports,
        FORGIVEN[type],
      )(event as unknown as CloudFormationCustomResourceEvent);
      return answer;
    },
  };
}

/** EC2 and EKS as the discovery tags meet them, each call checked. */
function guarded(account: Account, principal: string): ClusterNetwork {
  const { network } = account;
  const may = (action: string, resource = '*') => account.authorize({ principal, action, resource });
  const tagged = (ids: readonly string[]) =>
    ids.map((id) => `arn:aws:ec2:${REGION}:${ACCOUNT}:${id.startsWith('sg-') ? 'security-group' : 'subnet'}/${id}`);
  return {
    clusterSecurityGroup: () =>
      may('eks:DescribeCluster', clusterArn('demo')).then(() => network.clusterSecurityGroup()),
    nodeGroups: () => may('eks:ListNodegroups', clusterArn('demo')).then(() => network.nodeGroups()),
    launchTemplateSecurityGroups: (template) =>
      may('ec2:DescribeLaunchTemplateVersions').then(() => network.launchTemplateSecurityGroups(template)),
    karpenterNodes: () => may('ec2:DescribeInstances').then(() => network.karpenterNodes()),
    readTags: (ids) => may('ec2:DescribeTags').then(() => network.readTags(ids)),
    tagsAddedBy: (owner) => may('ec2:DescribeTags').then(() => network.tagsAddedBy(owner)),
    addTags: async (ids, tags) => {
      for (const arn of tagged(ids)) await may('ec2:CreateTags', arn);
      await network.addTags(ids, tags);
    },
    removeTags: async (ids, tags) => {
      for (const arn of tagged(ids)) await may('ec2:DeleteTags', arn);
      await network.removeTags(ids, tags);
    },
  };
}

function clusterArn(name: string): string {
  return `arn:aws:eks:${REGION}:${ACCOUNT}:cluster/${name}`;
}

function entryArn(principal: string): string {
  return `arn:aws:eks:${REGION}:${ACCOUNT}:access-entry/demo/role/${ACCOUNT}/${principal.split('/').pop()}/0`;
}

function headroom(namespace: string) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'headroom-default', namespace, labels: { 'app.kubernetes.io/managed-by': 'headstart' } },
    spec: {
      selector: { matchLabels: { app: 'headroom' } },
      template: {
        metadata: { labels: { app: 'headroom' } },
        spec: { containers: [{ name: 'pause', image: 'pause' }] },
      },
    },
  };
}
