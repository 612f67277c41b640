import type { KubeObject } from '../harness/api-client';
import { podDeletions } from '../harness/audit';
import type { Cluster } from '../harness/cluster';
import { type Pod, podsOf } from './pods';

/** Pods whose end can be explained. */
export interface FollowedPods {
  list(): Promise<readonly Pod[]>;
  /** Each pod as it was last seen, and from the beginning the namespace's Events and who deleted or evicted pods there. */
  explain(): Promise<string>;
}

interface Event extends KubeObject {
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly reason: string;
  readonly message: string;
  readonly involvedObject: { readonly kind: string; readonly name: string };
}

/** Lists pods and remembers what was seen of them. */
export function followPods(cluster: Cluster, namespace: string, selector: string): FollowedPods {
  const lastSeen = new Map<string, string>();
  // Of whole seconds, as the times of Events are.
  const begun = new Date().toISOString().slice(0, 19);
  const isSince = (line: string) => line >= begun;
  return {
    list: async () => {
      const pods = await podsOf(cluster, namespace, selector);
      const at = new Date().toISOString();
      for (const pod of pods) lastSeen.set(pod.metadata.name, `${at} ${JSON.stringify(pod)}`);
      return pods;
    },
    explain: async () => {
      const events = await cluster.admin.list<Event>(`/api/v1/namespaces/${namespace}/events`);
      return [
        section(`pods with ${selector} as last seen`, [...lastSeen.values()]),
        section(`events in ${namespace}`, events.map(lineOf).filter(isSince).sort()),
        section(`pods deleted in ${namespace}`, podDeletions(cluster.logOf, namespace).filter(isSince)),
      ].join('\n');
    },
  };
}

function section(title: string, lines: readonly string[]): string {
  return [`${title}:`, ...(lines.length === 0 ? ['none'] : lines).map((line) => `  ${line}`)].join('\n');
}

function lineOf({ lastTimestamp, eventTime, reason, message, involvedObject: { kind, name } }: Event): string {
  return `${lastTimestamp ?? eventTime} ${reason} ${kind} ${name}: ${message}`;
}
