import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { KubeObject } from './api-client';
import type { Cluster } from './cluster';
import { readKeyPair } from './pki';
import { eventually } from './process/eventually';
import { openRun } from './run';

/** One step of an RFC 6902 patch. */
export interface PatchStep {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: string;
  readonly value?: unknown;
}

/** What a webhook looks at, and what it makes of it. */
export interface WebhookOptions<T> {
  readonly resource: 'deployments' | 'pods';
  /** Only objects of this namespace. */
  readonly namespace: string;
  /** For a mutating webhook. */
  readonly mutate?: (object: T) => readonly PatchStep[];
  /** For a validating webhook: why it refuses an object. */
  readonly refuse?: (object: T, dryRun: boolean) => string | false;
}

/** An admission webhook of somebody else. */
export interface Webhook {
  /** Stops answering, while the apiserver still asks. */
  goAway(): Promise<void>;
  /** Is no longer asked, and stops. */
  remove(): Promise<void>;
}

const GROUP = '/apis/admissionregistration.k8s.io/v1';

/** Starts a webhook on loopback and has the apiserver ask it before it stores an object. */
export async function startWebhook<T>(cluster: Cluster, options: WebhookOptions<T>): Promise<Webhook> {
  let asked = 0;
  const server = createServer(readKeyPair(openRun(cluster.folder), 'serving'), async (question, answer) => {
    asked += 1;
    const { apiVersion, kind, request } = JSON.parse(await bodyOf(question));
    const response = { uid: request.uid, ...verdictOn(request, options) };
    answer.setHeader('content-type', 'application/json');
    answer.end(JSON.stringify({ apiVersion, kind, response }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const name = `webhook-${randomUUID().slice(0, 8)}`;
  await cluster.admin.apply(configuration(name, (server.address() as AddressInfo).port, cluster, options));
  // The apiserver learns of a new webhook by and by.
  const known = async () => {
    await cluster.admin.request('POST', `${pathOf(options)}?dryRun=All`, sampleOf(options)).catch(() => {});
    return asked > 0;
  };
  await eventually(known, { what: `the apiserver to ask ${name}` });

  const goAway = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    goAway,
    remove: async () => {
      await cluster.admin.remove(`${GROUP}/${options.refuse ? 'validating' : 'mutating'}webhookconfigurations/${name}`);
      await goAway();
    },
  };
}

interface Question<T> {
  readonly object: T;
  readonly dryRun?: boolean;
}

function verdictOn<T>({ object, dryRun = false }: Question<T>, { mutate, refuse }: WebhookOptions<T>) {
  const message = refuse?.(object, dryRun);
  if (message) return { allowed: false, status: { message } };
  if (!mutate) return { allowed: true };
  const patch = Buffer.from(JSON.stringify(mutate(object))).toString('base64');
  return { allowed: true, patchType: 'JSONPatch', patch };
}

function configuration<T>(name: string, port: number, { ca }: Cluster, options: WebhookOptions<T>): KubeObject {
  const { resource, namespace } = options;
  const apiGroups = [resource === 'pods' ? '' : 'apps'];
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: options.refuse ? 'ValidatingWebhookConfiguration' : 'MutatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        name: `${name}.example.com`,
        clientConfig: { url: `https://127.0.0.1:${port}/mutate`, caBundle: Buffer.from(ca).toString('base64') },
        rules: [{ apiGroups, apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: [resource] }],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: 'Fail',
        timeoutSeconds: 5,
      },
    ],
  };
}

function pathOf<T>({ resource, namespace }: WebhookOptions<T>): string {
  return `${resource === 'pods' ? '/api/v1' : '/apis/apps/v1'}/namespaces/${namespace}/${resource}`;
}

/** Never stored: it only makes the apiserver ask. A validating webhook is asked after Pod Security. */
function sampleOf<T>({ resource }: WebhookOptions<T>) {
  const labels = { app: 'sample' };
  const container = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
  const pod = {
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [{ name: 'sample', image: 'sample', securityContext: container }],
  };
  const template = { metadata: { labels }, spec: pod };
  const spec = resource === 'pods' ? pod : { replicas: 1, selector: { matchLabels: labels }, template };
  return { metadata: { name: 'sample', labels }, spec };
}

async function bodyOf(question: IncomingMessage): Promise<string> {
  const parts: string[] = [];
  for await (const part of question.setEncoding('utf8')) parts.push(part);
  return parts.join('');
}
