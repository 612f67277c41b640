import { NodeLabels } from '../../../shared/core/config/schema/pool-schema';
import { asMap } from '../../../shared/core/config/yaml/untyped';
import { type FieldLedger, type Path, takePairs } from '../input/field-ledger';
import { anythingElse, takeRequirements, WITH_RESERVED } from './pool-requirements';

/** The fields of a v1alpha5 Provisioner as fields of a `pool` block. */
export function alphaFields(ledger: FieldLedger, remarks: Record<string, string>): Record<string, unknown> {
  const fields = takeRequirements(ledger, ['spec', 'requirements']);
  const kubelet = ledger.peek('spec', 'kubeletConfiguration');
  ledger.leave(['spec', 'kubeletConfiguration', 'containerRuntime'], 'containerd is the only runtime');
  return {
    ...fields,
    ...anythingElse(fields, true),
    ...optional('labels', takeLabels(ledger, ['spec', 'labels'])),
    ...taken(ledger, ['spec'], ['annotations', 'taints', 'startupTaints', 'weight']),
    ...optional('limits', ledger.take('spec', 'limits', 'resources')),
    ...(kubelet !== undefined && {
      kubelet: takeAllBut(ledger, ['spec', 'kubeletConfiguration'], ['containerRuntime']),
    }),
    disruption: alphaDisruption(ledger, remarks),
    expireAfter: expiry(ledger.takeNumber('spec', 'ttlSecondsUntilExpired')),
  };
}

/** By default nodes never expired; in v1 they do, after 720h. */
function expiry(seconds: number | undefined): string {
  return seconds === undefined ? 'Never' : `${seconds}s`;
}

function alphaDisruption(ledger: FieldLedger, remarks: Record<string, string>): Record<string, unknown> {
  const empty = ledger.takeNumber('spec', 'ttlSecondsAfterEmpty');
  if (empty !== undefined) {
    if (ledger.peek('spec', 'consolidation', 'enabled') === false) ledger.take('spec', 'consolidation', 'enabled');
    ledger.leave(['spec', 'consolidation'], 'Karpenter does not allow it together with ttlSecondsAfterEmpty');
    return { consolidationPolicy: 'WhenEmpty', consolidateAfter: `${empty}s` };
  }
  const enabled = ledger.peek('spec', 'consolidation', 'enabled');
  if (typeof enabled === 'boolean') ledger.take('spec', 'consolidation', 'enabled');
  if (enabled === true) return atOnce(remarks);
  const unread = ledger.peek('spec', 'ttlSecondsAfterEmpty') ?? (typeof enabled === 'string' ? enabled : undefined);
  remarks.disruption =
    unread === undefined
      ? 'nodes were never removed, because neither ttlSecondsAfterEmpty nor consolidation was set'
      : `edit this: the files say ${unread}, which is no value yet; as written, nodes are never removed`;
  return { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' };
}

function atOnce(remarks: Record<string, string>): Record<string, unknown> {
  remarks.disruption = 'as before; set consolidateAfter to 5m or more to keep the headroom stable';
  return { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' };
}

/** The fields of a v1beta1 or v1 NodePool as fields of a `pool` block. */
export function betaFields(
  ledger: FieldLedger,
  remarks: Record<string, string>,
  hasReservations: boolean,
): Record<string, unknown> {
  const template: Path = ['spec', 'template'];
  const capacity = hasReservations ? WITH_RESERVED : undefined;
  const fields = takeRequirements(ledger, [...template, 'spec', 'requirements'], capacity);
  ledger.leave(
    ['spec', 'replicas'],
    'a pool block creates no static NodePool; write unit: {floor: {cpu, memory}} and base with this number',
  );
  return {
    ...fields,
    ...anythingElse(fields, false, capacity),
    ...optional('labels', takeLabels(ledger, [...template, 'metadata', 'labels'])),
    ...taken(ledger, [...template, 'metadata'], ['annotations']),
    ...taken(
      ledger,
      [...template, 'spec'],
      ['taints', 'startupTaints', 'kubelet', 'terminationGracePeriod', 'expireAfter'],
    ),
    ...taken(ledger, ['spec'], ['limits', 'weight']),
    ...optional('expireAfter', ledger.take('spec', 'disruption', 'expireAfter')),
    disruption: betaDisruption(ledger, remarks),
  };
}

function betaDisruption(ledger: FieldLedger, remarks: Record<string, string>): Record<string, unknown> {
  const { consolidationPolicy, consolidateAfter, budgets } = taken(
    ledger,
    ['spec', 'disruption'],
    ['consolidationPolicy', 'consolidateAfter', 'budgets'],
  );
  const policy = consolidationPolicy === 'WhenUnderutilized' ? 'WhenEmptyOrUnderutilized' : consolidationPolicy;
  const rest = budgets === undefined ? {} : { budgets };
  if (consolidateAfter !== undefined)
    return { ...(policy !== undefined && { consolidationPolicy: policy }), consolidateAfter, ...rest };
  return { ...atOnce(remarks), ...(policy !== undefined && { consolidationPolicy: policy }), ...rest };
}

function takeLabels(ledger: FieldLedger, path: Path): Record<string, string> | undefined {
  return takePairs(ledger, path, NodeLabels, 'is not a label that Karpenter lets a NodePool set');
}

function taken(ledger: FieldLedger, path: Path, keys: readonly string[]): Record<string, unknown> {
  return Object.assign({}, ...keys.map((key) => optional(key, ledger.take(...path, key))));
}

function takeAllBut(ledger: FieldLedger, path: Path, without: readonly string[]): Record<string, unknown> {
  const keys = Object.keys(asMap(ledger.peek(...path))).filter((key) => !without.includes(key));
  return taken(ledger, path, keys);
}

function optional(key: string, value: unknown): Record<string, unknown> {
  return value === undefined || value === null ? {} : { [key]: value };
}
