import { KubeError } from '../../../shared/adapters/kube/kube-error';
import type { KubeTransport } from '../../../shared/adapters/kube/kube-transport';
import { messageOf } from '../../../shared/core/basics/errors';
import { headroomName } from '../../../shared/core/basics/names';
import type { Config, HeadroomConfig } from '../../../shared/core/config/config';
import { pauseDeployment } from '../../../shared/core/manifests/pause-deployment';
import type { LooseObject } from './loose-objects';

export interface Admission {
  readonly headroom: string;
  readonly result: 'admitted' | 'refused' | 'no dry run' | 'not allowed' | 'not deployed' | 'unread';
  readonly why: string;
}

/** Sends the pause pod of each NodePool as a dry run, which passes every admission plugin and stores nothing. */
export async function readAdmission(transport: KubeTransport, config: Config): Promise<readonly Admission[]> {
  const { namespace } = config.cluster;
  const path = `/api/v1/namespaces/${namespace}/pods?dryRun=All`;
  return Promise.all(
    config.headrooms.map((pool) =>
      transport.create(path, pausePod(pool, namespace)).then(
        () => ({ headroom: pool.name, result: 'admitted', why: '' }) as const,
        (error: unknown) => ({ headroom: pool.name, result: resultOf(error), why: messageOf(error) }),
      ),
    ),
  );
}

function pausePod(pool: HeadroomConfig, namespace: string): LooseObject {
  const content = { pool, namespace, replicas: 1, annotations: {}, defaultTolerations: [], imageVolumes: false };
  const { metadata, spec } = pauseDeployment(content).spec.template;
  const named = { ...metadata, namespace, generateName: `${headroomName(pool.name)}-` };
  return { apiVersion: 'v1', kind: 'Pod', metadata: named, spec };
}

/** By the API server's own words, which are the same from Kubernetes 1.30 to 1.35. */
function resultOf(error: unknown): Admission['result'] {
  if (!(error instanceof KubeError)) return 'unread';
  const { message, status } = error;
  if (status === 404 || /no PriorityClass with name/.test(message)) return 'not deployed';
  // The API server says so of a webhook with side effects; a webhook of its own accord may too.
  if (/dry[- ]?run/i.test(message)) return 'no dry run';
  if (/cannot create resource "pods"/.test(message)) return 'not allowed';
  // With failurePolicy Fail, a webhook that is down refuses real pods too.
  if (/failed calling webhook/.test(message)) return 'refused';
  return [400, 403, 422].includes(status) ? 'refused' : 'unread';
}
