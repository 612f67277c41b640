import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from './run';

const LOG = 'audit';

/** Who deletes or evicts pods, and nothing else: a log of everything would be larger than etcd. */
const POLICY = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    { level: 'Metadata', verbs: ['delete', 'deletecollection'], resources: [{ group: '', resources: ['pods'] }] },
    { level: 'Metadata', verbs: ['create'], resources: [{ group: '', resources: ['pods/eviction'] }] },
    { level: 'None' },
  ],
};

interface AuditEvent {
  readonly verb: string;
  readonly requestReceivedTimestamp: string;
  readonly user: { readonly username: string };
  readonly userAgent?: string;
  readonly objectRef?: { readonly namespace?: string; readonly name?: string; readonly subresource?: string };
  readonly responseStatus?: { readonly code?: number };
}

/** The flags with which the apiserver keeps the log. */
export function auditFlags(run: Run): Readonly<Record<string, string>> {
  const policy = join(run.folder, 'audit-policy.json');
  writeFileSync(policy, JSON.stringify(POLICY));
  return { 'audit-policy-file': policy, 'audit-log-path': join(run.folder, 'logs', `${LOG}.log`) };
}

/** Every attempt to delete or evict a pod of the namespace, one per line. */
export function podDeletions(logOf: (part: string) => string, namespace: string): readonly string[] {
  const lines = logOf(LOG).split('\n').filter(Boolean);
  return lines
    .map((line): AuditEvent => JSON.parse(line))
    .filter(({ objectRef }) => objectRef?.namespace === namespace)
    .map(({ verb, requestReceivedTimestamp: at, user, userAgent = 'no user agent', objectRef, responseStatus }) => {
      const action = objectRef?.subresource === 'eviction' ? 'evict' : verb;
      const target = objectRef?.name ?? 'all that match';
      return `${at} ${action} ${target} by ${user.username} (${userAgent}): ${responseStatus?.code}`;
    });
}
