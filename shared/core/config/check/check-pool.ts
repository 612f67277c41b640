import { spotTwinName } from '../../basics/names';
import { fault } from '../schema/rules';
import { nodePoolIn } from './check-headrooms';
import type { NodePoolRules, WrittenNodePool } from './written';

/** Rules across the keys of a `pool` block, and between it and the rest of the file. */
export const poolRules: NodePoolRules = (nodePool) =>
  nodePool.pool === undefined
    ? []
    : [identityRules, amiRules, zoneRules, budgetRules, spotTwinRules].flatMap((rules) => rules(nodePool));

const identityRules: NodePoolRules = ({ pool, config: { karpenter = {} } }) => {
  const { manage, nodeRole, controllerRole, instanceProfile } = karpenter;
  const createsController = manage === true && (controllerRole === undefined || controllerRole === true);
  const hasRole =
    typeof nodeRole === 'string' || typeof instanceProfile === 'string' || (manage === true && nodeRole !== false);
  if (pool?.role !== undefined) return [];
  if (pool?.instanceProfile === undefined)
    return [
      !hasRole &&
        fault(
          'role',
          'is missing, and karpenter creates no node role; write the name of the node role, such as KarpenterNodeRole-my-cluster',
        ),
    ];
  return [
    createsController &&
      fault(
        'role',
        `is missing, and the controller role must name the role that it passes to nodes; write the role in the instance profile ${JSON.stringify(pool.instanceProfile)}`,
      ),
  ];
};

const amiRules: NodePoolRules = ({ pool: { ami, amiSelector, amiFamily } = {} }) => {
  if (amiSelector && ami !== undefined)
    return [fault('amiSelector', 'does not go with ami; write an alias in ami, or amiSelector and amiFamily')];
  if (amiFamily === undefined)
    return [
      amiSelector &&
        fault('amiFamily', 'is missing; amiSelector needs it: write the family of those images, such as AL2023'),
    ];
  const family = String(ami ?? 'al2023').replace(/@.*/s, '');
  const fits = amiSelector || amiFamily === 'Custom' || String(amiFamily).toLowerCase() === family;
  return [
    !fits && fault('amiFamily', `is ${JSON.stringify(amiFamily)}, which is not the family of ${family}; leave it out`),
  ];
};

const zoneRules: NodePoolRules = ({ pool: { zones = [] } = {}, config }) => {
  const region = config.cluster?.region;
  return zones.map(
    (zone, index) =>
      typeof region === 'string' &&
      !/^[a-z]$/.test(String(zone)) &&
      !String(zone).startsWith(region) &&
      fault(['zones', index], `is ${JSON.stringify(zone)}, not a zone of ${region}; write a or ${region}a`),
  );
};

const budgetRules: NodePoolRules = ({ pool: { disruption: { budgets = [] } = {} } = {} }) =>
  budgets.map(
    ({ schedule, duration }, index) =>
      (schedule === undefined) !== (duration === undefined) &&
      fault(
        ['disruption', 'budgets', index, schedule === undefined ? 'schedule' : 'duration'],
        'is missing; schedule and duration go together: write both or none',
      ),
  );

const spotTwinRules: NodePoolRules = ({ pool: { spotTwin, spot, weight, capacityType } = {}, name, config }) => {
  if (spotTwin !== true) return [spot && fault('spot', 'has no twin to change; write spotTwin: true, or leave it out')];
  const twin = spotTwinName(name);
  return [
    capacityType?.includes('spot') &&
      fault('capacityType', 'has spot, and spotTwin makes a spot pool of its own; write [on-demand]'),
    weight === 100 && fault('weight', 'is 100, so its spot twin cannot have a higher one; write at most 99'),
    typeof weight === 'number' &&
      Number.isFinite(weight) &&
      weight !== 100 &&
      typeof spot?.weight === 'number' &&
      spot.weight <= weight &&
      fault(['spot', 'weight'], `is ${spot.weight}; the twin is tried first only above ${weight}: write more`),
    config.nodePools?.[twin]?.pool &&
      fault('spotTwin', `makes a NodePool ${twin}, which has a pool block of its own; write only one`),
  ];
};

/** Headroom must tolerate the taints of its NodePool, or it never gets a node. */
export const taintRules: NodePoolRules = ({ name, config, tolerations, ...written }) => {
  const nodePool = nodePoolIn(name, written);
  const { pool } = config.nodePools?.[nodePool] ?? {};
  // With labels of its own it may be for the spot twin alone, which may have other taints.
  if (!tolerations || (pool?.spotTwin === true && (written.nodeSelector || written.nodeAffinity))) return [];
  return (pool?.taints ?? []).map((taint) => {
    const { key, value, effect } = taint;
    const wanted = value === undefined ? `{key: ${key}, operator: Exists}` : `{key: ${key}, value: ${value}}`;
    const wrong = `does not tolerate the taint ${key}:${effect} of ${nodePool === name ? 'its own pool block' : `the pool block of ${nodePool}`}`;
    return (
      effect !== 'PreferNoSchedule' &&
      !tolerations.some((one) => tolerates(one, taint)) &&
      fault('tolerations', `${wrong}; write ${wanted}, or leave tolerations out`)
    );
  });
};

type Taint = NonNullable<NonNullable<WrittenNodePool['pool']>['taints']>[number];
type Toleration = NonNullable<WrittenNodePool['tolerations']>[number];

function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect !== undefined && toleration.effect !== taint.effect) return false;
  if (toleration.key === undefined) return toleration.operator === 'Exists';
  if (toleration.key !== taint.key) return false;
  return toleration.operator === 'Exists' || String(toleration.value ?? '') === String(taint.value ?? '');
}
