import { spotTwinName } from '../../basics/names';
import { type Located, problemAt, valueAt } from '../yaml/located';
import type { Problem } from '../yaml/problem';
import { asList, asMap, type Values } from '../yaml/untyped';

type Say = (key: readonly PropertyKey[], message: string) => Problem;

/** Rules across the keys of a `pool` block, and between it and the rest of the file. */
export function checkPool(tree: Located, name: string, nodePool: Values): Problem[] {
  if (nodePool.pool === undefined) return [];
  const pool = asMap(nodePool.pool);
  const say: Say = (key, message) => problemAt(tree, ['nodePools', name, 'pool', ...key], message);
  return [
    ...checkIdentity(say, pool, asMap(valueAt(tree, ['karpenter']))),
    ...checkAmi(say, pool),
    ...checkZones(say, pool, valueAt(tree, ['cluster', 'region'])),
    ...checkBudgets(say, pool),
    ...checkSpotTwin(say, pool, name, asMap(valueAt(tree, ['nodePools']))),
    ...checkTolerated(tree, name, nodePool),
  ];
}

function checkIdentity(say: Say, pool: Values, karpenter: Values): Problem[] {
  if (pool.role !== undefined) return [];
  if (pool.instanceProfile !== undefined)
    return createsController(karpenter)
      ? [
          say(
            ['role'],
            `is missing, and the controller role must name the role that it passes to nodes; write the role in the instance profile ${JSON.stringify(pool.instanceProfile)}`,
          ),
        ]
      : [];
  const named = typeof karpenter.nodeRole === 'string' || typeof karpenter.instanceProfile === 'string';
  if (named || (karpenter.manage === true && karpenter.nodeRole !== false)) return [];
  return [
    say(
      ['role'],
      'is missing, and karpenter creates no node role; write the name of the node role, such as KarpenterNodeRole-my-cluster',
    ),
  ];
}

function createsController({ manage, controllerRole }: Values): boolean {
  return manage === true && (controllerRole === undefined || controllerRole === true);
}

function checkAmi(say: Say, { ami, amiSelector, amiFamily }: Values): Problem[] {
  if (ami !== undefined && amiSelector !== undefined)
    return [say(['amiSelector'], 'does not go with ami; write an alias in ami, or amiSelector and amiFamily')];
  if (amiSelector !== undefined && amiFamily === undefined)
    return [say(['amiFamily'], 'is missing; amiSelector needs it: write the family of those images, such as AL2023')];
  const family = String(ami ?? 'al2023').replace(/@.*$/, '');
  const fits = amiFamily === undefined || amiFamily === 'Custom' || String(amiFamily).toLowerCase() === family;
  if (amiSelector !== undefined || fits) return [];
  return [say(['amiFamily'], `is ${JSON.stringify(amiFamily)}, which is not the family of ${family}; leave it out`)];
}

function checkZones(say: Say, { zones }: Values, region: unknown): Problem[] {
  if (typeof region !== 'string') return [];
  return asList(zones).flatMap((zone, index) => {
    const text = String(zone);
    if (/^[a-z]$/.test(text) || text.startsWith(region)) return [];
    return [say(['zones', index], `is ${JSON.stringify(zone)}, not a zone of ${region}; write a or ${region}a`)];
  });
}

function checkBudgets(say: Say, { disruption }: Values): Problem[] {
  return asList(asMap(disruption).budgets).flatMap((budget, index) => {
    const { schedule, duration } = asMap(budget);
    if ((schedule === undefined) === (duration === undefined)) return [];
    const missing = schedule === undefined ? 'schedule' : 'duration';
    return [
      say(
        ['disruption', 'budgets', index, missing],
        'is missing; schedule and duration go together: write both or none',
      ),
    ];
  });
}

function checkSpotTwin(say: Say, pool: Values, name: string, nodePools: Values): Problem[] {
  const { spotTwin, weight, capacityType } = pool;
  if (spotTwin !== true)
    return pool.spot === undefined
      ? []
      : [say(['spot'], 'has no twin to change; write spotTwin: true, or leave it out')];
  const found: Problem[] = [];
  if (asList(capacityType).includes('spot'))
    found.push(say(['capacityType'], 'has spot, and spotTwin makes a spot pool of its own; write [on-demand]'));
  const spotWeight = asMap(pool.spot).weight;
  if (weight === 100)
    found.push(say(['weight'], 'is 100, so its spot twin cannot have a higher one; write at most 99'));
  else if (typeof weight === 'number' && typeof spotWeight === 'number' && spotWeight <= weight)
    found.push(say(['spot', 'weight'], `is ${spotWeight}; the twin is tried first only above ${weight}: write more`));
  if (asMap(nodePools[spotTwinName(name)]).pool !== undefined)
    found.push(
      say(['spotTwin'], `makes a NodePool ${spotTwinName(name)}, which has a pool block of its own; write only one`),
    );
  return found;
}

/** Headroom that is bound to this NodePool must tolerate its taints, or it never gets a node. */
function checkTolerated(
  tree: Located,
  name: string,
  { pool, tolerations, nodeSelector, nodeAffinity }: Values,
): Problem[] {
  if (tolerations === undefined || nodeSelector !== undefined || nodeAffinity !== undefined) return [];
  const allowed = asList(tolerations).map(asMap);
  return asList(asMap(pool).taints)
    .map(asMap)
    .filter((taint) => taint.effect !== 'PreferNoSchedule' && !allowed.some((one) => tolerates(one, taint)))
    .map(({ key, value, effect }) => {
      const wanted = value === undefined ? `{key: ${key}, operator: Exists}` : `{key: ${key}, value: ${value}}`;
      return problemAt(
        tree,
        ['nodePools', name, 'tolerations'],
        `does not tolerate the taint ${key}:${effect} of its own pool block; write ${wanted}, or leave tolerations out`,
      );
    });
}

function tolerates(toleration: Values, taint: Values): boolean {
  if (toleration.effect !== undefined && toleration.effect !== taint.effect) return false;
  if (toleration.key === undefined) return toleration.operator === 'Exists';
  if (toleration.key !== taint.key) return false;
  return toleration.operator === 'Exists' || String(toleration.value ?? '') === String(taint.value ?? '');
}
