import { asList } from '../../../shared/core/config/yaml/untyped';
import type { InputDocument } from '../input/documents';
import { FieldLedger, leftWhole, type Path } from '../input/field-ledger';
import { bindingOf, freeName, type Imported, type ImportedPool, onNodePool, renamed, WHY } from '../input/imported';
import { roomOf } from '../pause/headroom-unit';
import { importedShape, placeBelow } from '../pause/imported-shape';
import { imageOf } from '../pause/pod-role';
import { chartValues } from './chart-values';
import { importCodecentric } from './codecentric';

const NOT_VALUES =
  'not the values of the deliveryhero cluster-overprovisioner chart (deployments) or of the codecentric one (op, cpa, schedules); pass a values file, such as the output of helm get values RELEASE -o yaml';
/** What deliveryhero's chart deploys by default. */
const CHART_DEFAULT = { name: 'default', replicas: 3, unit: { slice: { cpu: '1', memory: '1000Mi' } } };

export function importOverprovisioner(documents: readonly InputDocument[], nodePool: string): Imported {
  const results = documents.map((document): Imported => {
    const found = chartValues(document);
    if (!found) return { pools: [], others: [leftWhole(document, NOT_VALUES)] };
    return (found.chart === 'codecentric' ? importCodecentric : importDeliveryHero)(found.document, nodePool);
  });
  const taken = new Set<string>();
  const pools = results
    .flatMap((result) => result.pools)
    .map((pool) => {
      const entry = renamed(pool, taken);
      taken.add(entry.name);
      return entry;
    });
  return { pools, others: results.flatMap(({ others }) => others) };
}

function importDeliveryHero(document: InputDocument, nodePool: string): Imported {
  const ledger = new FieldLedger(document, `values of deliveryhero/cluster-overprovisioner in ${document.file}`);
  ledger.leaveFields([], {
    priorityClassOverprovision: WHY.ownPriorityClass,
    priorityClassDefault: 'pods without a class have priority 0, above the headroom',
    terminationGracePeriodSeconds: 'pause pods stop immediately',
    containerSecurityContext: WHY.restricted,
    podSecurityContext: WHY.restricted,
    serviceAccount: WHY.noServiceAccount,
    nameOverride: 'the entries are named after the deployments',
    fullnameOverride: 'the entries are named after the deployments',
  });
  const image = imageOf(ledger, ['image']);
  const source = { ledger, otherwise: WHY.noCounterpart };
  if (ledger.peek('deployments') === undefined)
    return { pools: [{ ...chartDefault(nodePool, image), sources: [source] }], others: [] };
  const taken = new Set<string>();
  const pools = asList(ledger.peek('deployments')).map((_, index) => {
    const pool = deploymentPool(ledger, index, nodePool, taken, image);
    taken.add(pool.name);
    return pool;
  });
  const last = pools.pop();
  if (!last) return { pools, others: ledger.labelled('the values have no deployments, so there is nothing to import') };
  // The ledger covers the whole file, so its leftovers are listed once.
  return { pools: [...pools, { ...last, sources: [source] }], others: [] };
}

const RAISE_MAX = 'raise it to leave room for windows, alarms, interruptions and inflate';

function chartDefault(nodePool: string, image: string | undefined): Omit<ImportedPool, 'sources'> {
  const { name, replicas, unit } = CHART_DEFAULT;
  return {
    name,
    about: [
      'The values have no deployments: this is the one that the chart has by default.',
      ...bindingOf({ labelled: false }, nodePool),
    ],
    settings: { ...onNodePool(name, nodePool), base: replicas, max: replicas, unit, image },
    remarks: { base: 'held all the time; use windows to hold it only when needed', max: RAISE_MAX },
  };
}

function baseRemark(count: number | undefined, written: unknown): string {
  if (count !== undefined) return 'replicaCount: held all the time; use windows to hold it only when needed';
  return written === undefined ? 'no replicaCount: the Kubernetes default' : 'edit this: replicaCount is not a number';
}

function deploymentPool(
  ledger: FieldLedger,
  index: number,
  nodePool: string,
  taken: ReadonlySet<string>,
  image: string | undefined,
): ImportedPool {
  const here: Path = ['deployments', index];
  const given = ledger.take(...here, 'name');
  const count = ledger.takeNumber(...here, 'replicaCount');
  const replicas = count ?? 1;
  const written = ledger.peek(...here, 'replicaCount') ?? undefined;
  ledger.leaveFields(here, {
    pdb: 'a budget would block draining nodes with pause pods',
    schedulerName: 'pause pods use the default scheduler',
    extraEnv: 'pause pods read no environment variables',
  });
  const shape = importedShape(ledger, placeBelow(here));
  const { unit, remarks } = roomOf(shape);
  const bound = shape.nodePool ?? nodePool;
  const name = freeName(typeof given === 'string' ? [given, `${bound}-${given}`] : [bound], taken);
  return {
    name,
    about: [
      ...(typeof given === 'string' && given !== name ? [`The deployment ${given}; the name is changed.`] : []),
      ...bindingOf(shape, bound),
    ],
    settings: {
      ...onNodePool(name, bound),
      base: replicas,
      max: Math.max(replicas, 1),
      unit,
      image,
      ...shape.settings,
    },
    remarks: { base: baseRemark(count, written), max: RAISE_MAX, unit: remarks },
    sources: [],
  };
}
