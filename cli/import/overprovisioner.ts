import { asList, asMap } from '../../shared/core/config/untyped';
import { InputError } from '../terminal/exit';
import { importCodecentric } from './codecentric';
import type { InputDocument } from './documents';
import { freeName, type Imported, type ImportedPool } from './imported';
import { Ledger, type Path } from './ledger';
import { imageOf } from './pause-image';
import { podShape, unitOf } from './pod-shape';
import { NO_COUNTERPART, NO_SERVICE_ACCOUNT, OWN_PRIORITY_CLASS, RESTRICTED } from './reasons';

/** Values of the two cluster-overprovisioner charts as headroom that is held by `base` and windows. */
export function importOverprovisioner(documents: readonly InputDocument[], nodePool: string): Imported {
  const results = documents.map((document) => {
    const values = asMap(document.value);
    if ('op' in values || 'cpa' in values || 'defaultConfig' in values || 'schedules' in values)
      return importCodecentric(document, nodePool);
    if ('deployments' in values || 'priorityClassOverprovision' in values)
      return importDeliveryHero(document, nodePool);
    throw new InputError(
      `${document.file}: not the values of the deliveryhero cluster-overprovisioner chart (deployments) or of the codecentric one (op, cpa, schedules); pass a values file, such as the output of helm get values RELEASE -o yaml`,
    );
  });
  const taken = new Set<string>();
  const pools = results
    .flatMap((result) => result.pools)
    .map((pool) => {
      const name = freeName([pool.name], taken);
      taken.add(name);
      if (name === pool.name) return pool;
      const nodeSelector = { 'karpenter.sh/nodepool': pool.name, ...asMap(pool.settings.nodeSelector) };
      return { ...pool, name, settings: { ...pool.settings, nodeSelector } };
    });
  return { pools, others: results.flatMap(({ others }) => others), notes: results.flatMap(({ notes }) => notes) };
}

function importDeliveryHero(document: InputDocument, nodePool: string): Imported {
  const ledger = new Ledger(`values of deliveryhero/cluster-overprovisioner in ${document.file}`, document.value);
  for (const [path, why] of [
    [['priorityClassOverprovision'], OWN_PRIORITY_CLASS],
    [['priorityClassDefault'], 'pods without a class have priority 0, above the headroom'],
    [['terminationGracePeriodSeconds'], 'pause pods stop immediately'],
    [['containerSecurityContext'], RESTRICTED],
    [['podSecurityContext'], RESTRICTED],
    [['serviceAccount'], NO_SERVICE_ACCOUNT],
  ] as const)
    ledger.leave(path, why);
  const image = imageOf(ledger, ['image']);
  const taken = new Set<string>();
  const pools = asList(ledger.peek('deployments')).map((_, index) => {
    const pool = deploymentPool(ledger, index, nodePool, taken, image);
    taken.add(pool.name);
    return pool;
  });
  const source = { ledger, otherwise: NO_COUNTERPART };
  if (pools.length === 0) {
    const { label } = ledger;
    const why = 'the values have no deployments, so there is nothing to import';
    return { pools, others: ledger.leftOvers(why).map((left) => ({ label, ...left })), notes: [] };
  }
  // The ledger is of the whole file, so what is left in it is listed once, with the last of its pools.
  return {
    pools: pools.map((pool, index) => (index === pools.length - 1 ? { ...pool, sources: [source] } : pool)),
    others: [],
    notes: [],
  };
}

function deploymentPool(
  ledger: Ledger,
  index: number,
  nodePool: string,
  taken: ReadonlySet<string>,
  image: string | undefined,
): ImportedPool {
  const here: Path = ['deployments', index];
  const deployment = String(ledger.take(...here, 'name') ?? index + 1);
  const count = ledger.take(...here, 'replicaCount');
  const replicas = typeof count === 'number' ? count : 1;
  for (const [key, why] of [
    ['pdb', 'a budget would block draining nodes with pause pods'],
    ['schedulerName', 'pause pods use the default scheduler'],
    ['extraEnv', 'pause pods read no environment variables'],
  ] as const)
    ledger.leave([...here, key], why);
  const shape = podShape(ledger, {
    nodeSelector: [...here, 'nodeSelector'],
    affinity: [...here, 'affinity'],
    tolerations: [...here, 'tolerations'],
    spread: [...here, 'topologySpreadConstraints'],
    resources: [...here, 'resources'],
  });
  const { unit, remark } = unitOf(shape);
  const bound = shape.nodePool ?? nodePool;
  const name = freeName([bound, deployment, `${bound}-${deployment}`], taken);
  return {
    name,
    settings: {
      base: replicas,
      max: Math.max(replicas, 1),
      unit,
      ...(image !== undefined && { image }),
      ...(name !== bound && { nodeSelector: { 'karpenter.sh/nodepool': bound } }),
      ...shape.settings,
    },
    remarks: {
      base:
        typeof count === 'number'
          ? 'replicaCount: held all the time; use windows to hold it only when needed'
          : 'no replicaCount: the Kubernetes default',
      max: 'raise it to leave room for windows, alarms, interruptions and inflate',
      ...(remark !== undefined && { unit: remark }),
    },
    sources: [],
  };
}
