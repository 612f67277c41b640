/** Where pods may be, beside what they request. */
export interface Placed {
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly object[];
  readonly spreads?: readonly { readonly maxSkew: number; readonly topologyKey: string }[];
  readonly apart?: true;
}

/** What a workload's pods look like, and what pause pods in their shape have: said here, not read by the code that is tested. */
export interface PodsOfWorkload {
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: object;
  /** How many of them one pause pod makes room for, unless the config says it; without a number never more than one. */
  readonly pods?: number;
  /** What so many of them request together. */
  readonly requests: (pods: number) => Readonly<Record<string, string>>;
  readonly placed?: Placed;
  /** Why there is no shape. */
  readonly problem?: RegExp;
}

const labels = { app: 'checkout' };
const requesting = (requests: object) => ({ containers: [{ name: 'app', resources: { requests } }] });
const small = requesting({ cpu: '250m', memory: '256Mi' });
const OWN = { labelSelector: { matchLabels: labels } };
const none = () => ({});
const cores = (cpu: number) => (cpu % 1 === 0 ? `${cpu}` : `${1_000 * cpu}m`);

export const ALL_PODS: readonly PodsOfWorkload[] = [
  {
    labels,
    spec: small,
    pods: 4,
    requests: (pods) => ({ cpu: cores(pods / 4), memory: `${256 * pods}Mi`.replace('1024Mi', '1Gi') }),
  },
  // Two of them are as large as a pause pod may be.
  {
    labels,
    spec: requesting({ cpu: 1, memory: '3Gi' }),
    pods: 2,
    requests: (pods) => ({ cpu: `${pods}`, memory: `${3 * pods}Gi` }),
  },
  {
    labels,
    spec: {
      ...small,
      nodeSelector: { disk: 'fast' },
      tolerations: [{ key: 'reserved', operator: 'Equal', value: 'shop', effect: 'NoSchedule' }],
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname', ...OWN }],
        },
      },
    },
    requests: () => ({ cpu: '250m', memory: '256Mi' }),
    placed: {
      apart: true,
      nodeSelector: { disk: 'fast' },
      tolerations: [{ key: 'reserved', value: 'shop', effect: 'NoSchedule' }],
    },
  },
  {
    labels,
    spec: {
      ...requesting({ cpu: '500m', memory: '1Gi' }),
      topologySpreadConstraints: [
        { maxSkew: 2, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule', ...OWN },
        { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway', ...OWN },
      ],
    },
    pods: 4,
    requests: (pods) => ({ cpu: cores(pods / 2), memory: `${pods}Gi` }),
    placed: { spreads: [{ maxSkew: 2, topologyKey: 'topology.kubernetes.io/zone' }] },
  },
  { labels, spec: requesting({}), requests: none, problem: /request nothing/ },
  {
    labels,
    spec: { ...small, nodeSelector: { 'karpenter.sh/nodepool': 'elsewhere' } },
    requests: none,
    problem: /do not select NodePool/,
  },
];

/** Headroom itself, which would follow its own pods. */
const OWN_HEADROOM = { 'app.kubernetes.io/managed-by': 'headstart' };

export interface Workload {
  readonly pods: PodsOfWorkload;
  readonly replicas: number;
  readonly isOurs?: boolean;
}

/** What an invocation got for one of them: nothing if it did not ask. */
export type WorkloadSight = Workload | { readonly problem: RegExp };

export const GONE = { problem: /^it does not exist$/ };
export const UNREAD = { problem: /./ };

/** The Deployments and StatefulSets of the users, by path, and every size that they ever had. */
export class Workloads {
  readonly sizes = new Map<string, number[]>();
  private readonly all = new Map<string, string>();
  private readonly known: Workload[] = [];

  get(path: string): Workload | undefined {
    return this.known[Number(this.all.get(path) ?? Number.NaN)];
  }

  set(path: string, workload: Workload): void {
    this.all.set(path, `${this.known.length}`);
    this.known.push(workload);
    this.sizes.set(path, [...(this.sizes.get(path) ?? []), workload.replicas]);
  }

  remove(path: string): void {
    this.all.delete(path);
  }

  /** Its status is not what counts: autoscalers write `spec.replicas`. */
  textAt(path: string): string | undefined {
    const uid = this.all.get(path);
    const workload = this.get(path);
    if (!workload) return undefined;
    const { pods, replicas, isOurs } = workload;
    const template = { metadata: { labels: pods.labels }, spec: pods.spec };
    const metadata = { uid, labels: isOurs ? OWN_HEADROOM : pods.labels };
    return JSON.stringify({ metadata, spec: { replicas, template }, status: { replicas: replicas + 7 } });
  }

  /** What a response says. */
  seenIn({ metadata }: { readonly metadata?: { readonly uid?: string } }): WorkloadSight {
    return this.known[Number(metadata?.uid ?? Number.NaN)] ?? UNREAD;
  }
}

export const [CHECKOUT, CARTS] = [
  '/apis/apps/v1/namespaces/shop/deployments/checkout',
  '/apis/apps/v1/namespaces/shop/statefulsets/carts',
];

export function isWorkload(path: string): boolean {
  return path === CHECKOUT || path === CARTS;
}
