import type { Config } from '../../shared/core/config/config';
import { clusterObjects } from '../../shared/core/manifests/cluster-objects';
import { pauseDeployment } from '../../shared/core/manifests/pause-deployment';

/** One Kubernetes object that a deploy would create, delete or change. */
export interface ObjectChange {
  readonly kind: 'added' | 'removed' | 'changed';
  /** `Deployment headroom/headroom-default`. */
  readonly object: string;
  /** The fields that differ, by their paths; a list counts as one. */
  readonly fields: readonly string[];
  /** Its pods are replaced, all at once. */
  readonly replacesPods: boolean;
}

interface Comparable {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** Follows from the rest of the template. */
const DERIVED = /^metadata\.annotations\./;

/** What differs between the objects of two configs. Sizes are not compared: they are the plan's. */
export function compareObjects(before: Config, after: Config): readonly ObjectChange[] {
  const [was, is] = [objectsOf(before), objectsOf(after)];
  const names = [...new Set([...was.keys(), ...is.keys()])];
  return names.flatMap((object): ObjectChange[] => {
    const [old, now] = [was.get(object), is.get(object)];
    if (!old) return [{ kind: 'added', object, fields: [], replacesPods: false }];
    if (!now) return [{ kind: 'removed', object, fields: [], replacesPods: false }];
    const fields = differing(old, now).filter((field) => !DERIVED.test(field));
    const replacesPods = fields.some((field) => field.startsWith('spec.template.'));
    return fields.length === 0 ? [] : [{ kind: 'changed', object, fields, replacesPods }];
  });
}

function objectsOf({ cluster: { namespace }, nodePools }: Config): ReadonlyMap<string, Comparable> {
  const headrooms = nodePools.map((pool) =>
    // What the cluster adds, such as its taints, is the same on both sides.
    pauseDeployment({ pool, namespace, replicas: 0, annotations: {}, defaultTolerations: [], imageVolumes: true }),
  );
  const all: readonly Comparable[] = [...clusterObjects(namespace), ...headrooms];
  return new Map(all.map((one) => [nameOf(one), one]));
}

function nameOf({ kind, metadata: { name, namespace } }: Comparable): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

function differing(a: unknown, b: unknown, path = ''): readonly string[] {
  if (!isMap(a) || !isMap(b)) return JSON.stringify(a) === JSON.stringify(b) ? [] : [path];
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return keys.flatMap((key) => differing(a[key], b[key], path === '' ? key : `${path}.${key}`));
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
