import { NodeLabels } from '../../../shared/core/config/schema/pool-schema';
import { asMap, type Values } from '../../../shared/core/config/yaml/untyped';
import { type FieldLedger, type Path, present, takeFields, takePairs } from '../input/field-ledger';
import { anythingElse, takeRequirements, WITH_RESERVED } from './pool-requirements';

const TEMPLATE_FIELDS = ['taints', 'startupTaints', 'kubelet', 'terminationGracePeriod', 'expireAfter'];

/** The fields of a v1alpha5 Provisioner as fields of a `pool` block. */
export function alphaFields(ledger: FieldLedger, remarks: Record<string, string>): Values {
  const fields = takeRequirements(ledger, ['spec', 'requirements']);
  const { containerRuntime, ...kubelet } = asMap(ledger.peek('spec', 'kubeletConfiguration'));
  ledger.leave(['spec', 'kubeletConfiguration', 'containerRuntime'], 'containerd is the only runtime');
  return present({
    ...fields,
    ...anythingElse(fields, true),
    labels: takeLabels(ledger, ['spec', 'labels']),
    ...takeFields(ledger, ['spec'], ['annotations', 'taints', 'startupTaints', 'weight']),
    limits: ledger.take('spec', 'limits', 'resources'),
    kubelet: takeFields(ledger, ['spec', 'kubeletConfiguration'], Object.keys(kubelet)),
    disruption: alphaDisruption(ledger, remarks),
    expireAfter: expiry(ledger.takeNumber('spec', 'ttlSecondsUntilExpired')),
  });
}

/** By default nodes never expired; in v1 they do, after 720h. */
function expiry(seconds: number | undefined): string {
  return seconds === undefined ? 'Never' : `${seconds}s`;
}

function alphaDisruption(ledger: FieldLedger, remarks: Record<string, string>): Values {
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

function atOnce(remarks: Record<string, string>): Values {
  remarks.disruption = 'as before; set consolidateAfter to 5m or more to keep the headroom stable';
  return { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' };
}

/** The fields of a v1beta1 or v1 NodePool as fields of a `pool` block. */
export function betaFields(ledger: FieldLedger, remarks: Record<string, string>, hasReservations: boolean): Values {
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
    ...present({ labels: takeLabels(ledger, [...template, 'metadata', 'labels']) }),
    ...takeFields(ledger, [...template, 'metadata'], ['annotations']),
    ...takeFields(ledger, [...template, 'spec'], TEMPLATE_FIELDS),
    ...takeFields(ledger, ['spec'], ['limits', 'weight']),
    ...takeFields(ledger, ['spec', 'disruption'], ['expireAfter']),
    disruption: betaDisruption(ledger, remarks),
  };
}

function betaDisruption(ledger: FieldLedger, remarks: Record<string, string>): Values {
  const given = takeFields(ledger, ['spec', 'disruption'], ['consolidationPolicy', 'consolidateAfter', 'budgets']);
  const renamed = given.consolidationPolicy === 'WhenUnderutilized' && {
    consolidationPolicy: 'WhenEmptyOrUnderutilized',
  };
  return { ...(given.consolidateAfter === undefined && atOnce(remarks)), ...given, ...renamed };
}

function takeLabels(ledger: FieldLedger, path: Path): Record<string, string> | undefined {
  return takePairs(ledger, path, NodeLabels, 'is not a label that Karpenter lets a NodePool set');
}
