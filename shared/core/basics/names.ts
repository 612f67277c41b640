/** Everything that Headstart writes to a cluster carries this label. */
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';
export const MANAGED_BY = 'headstart';
/** The header of every response in which a sandbox tells its own time. */
export const SANDBOX_TIME_HEADER = 'headstart-sandbox-time';
export const HEADROOM_LABEL = 'headstart.dev/headroom';
export const FIELD_MANAGER = 'headstart';
export const KARPENTER_NODEPOOL_LABEL = 'karpenter.sh/nodepool';

/** The Kubernetes group of the functions. With the namespace in it, so that two stacks on one cluster share nothing. */
export function runtimeGroup(namespace: string): string {
  return `headstart:${namespace}`;
}

/** The PriorityClass of the pause pods, one for each namespace. */
export function priorityClassName(namespace: string): string {
  return `headstart-${namespace}`;
}

export function headroomName(headroom: string): string {
  return `headroom-${headroom}`;
}

/** The ConfigMap in our namespace whose text people edit; Headstart only reads it. */
export const LIVE_SCHEDULES = 'headroom-schedules';

/** The windows of announced peaks are named so; others must not be. */
export const EVENT_PREFIX = 'event:';

/** A function that people and `doctor` must find without CloudFormation. */
export function functionName(cluster: string, entry: 'inflate' | 'alarm' | 'interruption' | 'announce'): string {
  return physicalName(['headstart', cluster, entry]);
}

/**
 * A name that AWS accepts: the parts joined by `-`. If that is too long or has forbidden characters, it is cut and
 * followed by a hash of the whole. Unique while only one of the parts varies; otherwise use `uniqueName`.
 */
export function physicalName(parts: readonly string[], longest = 64): string {
  const whole = parts.join('-');
  const clean = whole.replace(/[^0-9A-Za-z_.-]/g, '-');
  return clean === whole && whole.length <= longest ? whole : uniqueName(parts, longest);
}

/** Like `physicalName`, but always with the hash, because `a-b` + `c` and `a` + `b-c` must differ. */
export function uniqueName(parts: readonly string[], longest = 64): string {
  const hash = hashText(parts.join('\u0000'));
  const clean = parts.join('-').replace(/[^0-9A-Za-z_.-]/g, '-');
  return `${clean.slice(0, longest - hash.length - 1)}-${hash}`;
}

const PRIME = 0x01000193;

/** FNV-1a over UTF-16 units, twice with different seeds: 52 bits are plenty to keep names apart. */
export function hashText(text: string): string {
  let [one, other] = [0x811c9dc5, PRIME];
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    one = Math.imul(one ^ unit, PRIME);
    other = Math.imul(other ^ unit, PRIME);
  }
  return `${sixDigits(one)}${sixDigits(other)}`;
}

function sixDigits(hash: number): string {
  return (hash >>> 0).toString(36).padStart(7, '0').slice(-6);
}

/** The NodePool that `spotTwin: true` makes beside the on-demand one. */
export function spotTwinName(nodePool: string): string {
  return `${nodePool}-spot`;
}

interface Owner {
  readonly account: string;
  readonly region: string;
  readonly cluster: string;
  readonly namespace: string;
  readonly stack: string;
}

/** The owner annotation of our objects; it tells stacks that share a namespace apart. */
export function ownerText({ account, region, cluster, namespace, stack }: Owner): string {
  return [account, region, cluster, namespace, stack].join('/');
}

/** What `ownerText` wrote; the sandbox and other tools write something else. */
export function readOwner(text: string): Owner | undefined {
  const [account, region, cluster, namespace, stack, ...rest] = text.split('/');
  return account && region && cluster && namespace && stack && rest.length === 0
    ? { account, region, cluster, namespace, stack }
    : undefined;
}
