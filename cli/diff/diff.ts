import { isPattern } from '../../shared/adapters/files/config-glob';
import { isObject } from '../../shared/core/basics/json';
import { type Config, runtimeConfig } from '../../shared/core/config/config';
import { clusterObjects, switchesOf } from '../../shared/core/manifests/cluster-object-manifests';
import { pauseDeployment } from '../../shared/core/manifests/pause-deployment';
import { count } from '../../shared/drawing/amounts';
import { blockRequirements } from '../../shared/pricing/node-price';
import { deployedConfig } from '../functions/access';
import { functionAccess } from '../functions/function-access';
import { readForPlan } from '../functions/read-for-plan';
import { withLive } from '../functions/with-live';
import { loadOrFail } from '../input/load-or-fail';
import { readPeriod, readTimezone } from '../input/time';
import { overClusters, type Said } from '../many/over-clusters';
import { comparePlans } from '../plan/compare-plans';
import { drawComparison } from '../plan/draw-comparison';
import { comparisonJson, type PlanOptions } from '../plan/print-plan';
import { EXIT } from '../terminal/exit';
import { jsonText, painter, type Terminal } from '../terminal/terminal';

/** Annotations are derived from the rest of the object. */
const DERIVED = /^metadata\.annotations\./;

export async function diff(options: PlanOptions, terminal: Terminal): Promise<number> {
  if (isPattern(options.config))
    return overClusters(options, terminal, { run: diff, said: saidOf, alone: ['kubeconfig', 'function'] });
  const timezone = readTimezone(options.timezone);
  const { from, to } = readPeriod(options, terminal.now(), timezone);
  const file = loadOrFail(options, terminal);
  const after = runtimeConfig(file);
  const access = await functionAccess(after.cluster, terminal, options);
  const before = await deployedConfig(access);
  const [wanted, deployed] = [await withLive(after, access), await withLive(before, access)];
  const { configs, requirements = blockRequirements(file) } = await readForPlan(options, [wanted, deployed], terminal);
  const [is = wanted, was = deployed] = configs;
  const comparison = comparePlans(was, is, from, to, { timezone, requirements });
  const objects = compareObjects(before, after);
  if (options.json) terminal.out(jsonText({ nodePools: comparisonJson(comparison), objects }));
  else
    terminal.out(
      `${drawComparison(comparison, { before: access.place, after: options.config }, terminal)}\n${drawObjects(objects, terminal)}`,
    );
  return EXIT.ok;
}

/** Of one cluster of many. */
function saidOf({ nodePools, objects }: DiffJson): Said {
  const sizes = Object.entries(nodePools).filter(([, { differences }]) => differences.length > 0);
  const parts = [
    ...sizes.map(([name, { differences }]) => `${name}: ${count(differences.length, 'change')} of size`),
    ...(objects.length > 0 ? [count(objects.length, 'object')] : []),
  ];
  return { text: parts.join(', ') || 'no change', trouble: parts.length };
}

interface DiffJson {
  readonly nodePools: Readonly<Record<string, { readonly differences: readonly unknown[] }>>;
  readonly objects: readonly ObjectChange[];
}

const MARKS = { added: ['+', 'green'], removed: ['-', 'red'], changed: ['~', 'yellow'] } as const;

function drawObjects(objects: readonly ObjectChange[], terminal: Terminal): string {
  if (objects.length === 0) return 'Kubernetes objects: no change\n';
  const paint = painter(terminal);
  const lines = objects.map(({ kind, object, fields, replacesPods }) => {
    const [mark, colour] = MARKS[kind];
    const pods = replacesPods ? '; its pods are replaced at once' : '';
    return paint(colour, `  ${mark} ${object}${fields.length > 0 ? `: ${fields.join(', ')}` : ''}${pods}`);
  });
  return `Kubernetes objects\n${lines.join('\n')}\n`;
}

interface ObjectChange {
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

/** What differs between the objects of two configs. Sizes are left to the plan. */
function compareObjects(before: Config, after: Config): readonly ObjectChange[] {
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

function objectsOf(config: Config): ReadonlyMap<string, Comparable> {
  const { cluster, headrooms: deployed } = config;
  const { namespace } = cluster;
  const headrooms = deployed.map((pool) =>
    // Whatever the cluster adds, such as tolerations for its taints, is the same on both sides.
    pauseDeployment({ pool, namespace, replicas: 0, annotations: {}, defaultTolerations: [], imageVolumes: true }),
  );
  const all: readonly Comparable[] = [...clusterObjects(namespace, switchesOf(config)), ...headrooms];
  return new Map(all.map((one) => [nameOf(one), one]));
}

function nameOf({ kind, metadata: { name, namespace } }: Comparable): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

function differing(a: unknown, b: unknown, path = ''): readonly string[] {
  if (!isObject(a) || !isObject(b)) return JSON.stringify(a) === JSON.stringify(b) ? [] : [path];
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return keys.flatMap((key) => differing(a[key], b[key], path === '' ? key : `${path}.${key}`));
}
