import type { KubernetesObject } from '@kubernetes/client-node';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { clusterErrorType } from '../../../shared/adapters/kube/cluster-error';
import type { KubeTransport } from '../../../shared/adapters/kube/kube-transport';
import { messageOf } from '../../../shared/core/basics/errors';
import { INSTALLED_BY } from '../../../shared/core/karpenter/install/helm-release';
import type { CustomResourceResponse } from '../protocol/custom-resource';
import { clusterAbout, explainDeployError } from '../protocol/explain-deploy-error';
import { type AdmissionPorts, retryUntilAdmitted } from '../protocol/retry-until-admitted';

export interface KarpenterCheckProperties {
  /** The Helm release that the stack installs, and its namespace. */
  readonly release: string;
  readonly namespace: string;
  readonly adopt: 'true' | 'false';
  /** The annotation by which the stack recognises its own release. */
  readonly installedBy: string;
  /** The cluster's identity when the deploy read it. */
  readonly clusterId: string;
}

export interface KarpenterCheckPorts extends AdmissionPorts {
  readonly connect: () => Promise<KubeTransport>;
}

/** The chart puts this label on the controller in every installation. */
const CONTROLLERS = 'app.kubernetes.io/name=karpenter';
const RELEASE = 'meta.helm.sh/release-name';

/**
 * Runs before Helm and changes nothing: an existing controller is upgraded only if the
 * config says so, and a second one is never installed.
 */
export async function handleKarpenterCheck(
  event: CloudFormationCustomResourceEvent,
  ports: KarpenterCheckPorts,
): Promise<CustomResourceResponse> {
  const about = clusterAbout(event.ResourceProperties);
  if (event.RequestType === 'Delete') return { physicalResourceId: event.PhysicalResourceId };
  const found = await controllers(ports).catch((error: unknown) => {
    const clusterError = { type: clusterErrorType(error), message: messageOf(error) };
    throw new Error(explainDeployError(clusterError, about), { cause: error });
  });
  refuse(found, propertiesOf(event.ResourceProperties), isNew(event));
  return { physicalResourceId: `karpenter-check-${about.name}` };
}

/** Whether this is the stack's first deploy to this cluster; otherwise the release is its own. */
function isNew(event: CloudFormationCustomResourceEvent): boolean {
  if (event.RequestType !== 'Update') return true;
  return propertiesOf(event.OldResourceProperties).clusterId !== propertiesOf(event.ResourceProperties).clusterId;
}

function propertiesOf(properties: unknown): KarpenterCheckProperties {
  return properties as KarpenterCheckProperties;
}

async function controllers(ports: KarpenterCheckPorts): Promise<readonly KubernetesObject[]> {
  const transport = retryUntilAdmitted(await ports.connect(), ports);
  return transport.list<KubernetesObject>('/apis/apps/v1/deployments', CONTROLLERS);
}

function refuse(
  found: readonly KubernetesObject[],
  { release, namespace, adopt, installedBy }: KarpenterCheckProperties,
  first: boolean,
): void {
  const ours = (object: KubernetesObject) =>
    object.metadata?.namespace === namespace && object.metadata.annotations?.[RELEASE] === release;
  const other = found.find((object) => !ours(object));
  if (other)
    throw new Error(
      `Karpenter already runs as ${controllerText(other)}, and a second controller would fight with it over every node; write helm: {install: false} under karpenter${other.metadata?.annotations?.[RELEASE] === release ? `, or namespace: ${other.metadata.namespace}` : ''}`,
    );
  const [same] = found;
  // A first deploy that was rolled back leaves its release, and so does a deleted stack.
  const isOwn = same?.metadata?.annotations?.[INSTALLED_BY] === installedBy;
  if (same && first && !isOwn && adopt !== 'true')
    throw new Error(
      `Karpenter is already installed as ${controllerText(same)}; write helm: {adopt: true} under karpenter to upgrade it with every deploy and never uninstall it, or helm: {install: false} to leave it alone`,
    );
}

function controllerText({ metadata = {} }: KubernetesObject): string {
  const release = metadata.annotations?.[RELEASE];
  const by = release === undefined ? 'not by Helm' : `Helm release ${release}`;
  return `Deployment ${metadata.namespace}/${metadata.name} (${by})`;
}
