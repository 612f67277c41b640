import { asMap } from '../../shared/core/config/untyped';
import { type InputDocument, labelOf } from './documents';
import { freeName, type Imported, type ImportedPool, type ImportedSource } from './imported';
import { Ledger, type Path } from './ledger';
import { takeNodeClass } from './node-class';
import { anythingElse, takeRequirements } from './pool-requirements';
import { NOT_CONFIGURATION } from './reasons';

const OTHERWISE = 'has no counterpart in a pool block';
const DEFAULT_MAX = 10;
const PLACEHOLDER_ROLE = 'KarpenterNodeRole-my-cluster';

/** Old Karpenter objects as `pool` blocks of the v1 API. */
export function importProvisioner(documents: readonly InputDocument[]): Imported {
  const classes = new Map<string, Ledger>();
  for (const document of documents)
    if (isNodeClass(document.value)) classes.set(nameOf(document.value), new Ledger(labelOf(document), document.value));
  const shown = new Set<Ledger>();
  const taken = new Set<string>();
  const pools = documents
    .filter(({ value }) => isPool(value))
    .map((document) => {
      const pool = poolOf(document, classes, shown, taken);
      taken.add(pool.name);
      return pool;
    });
  const unused = [...classes.values()].filter((ledger) => !shown.has(ledger));
  const others = documents.filter(({ value }) => !isPool(value) && !isNodeClass(value));
  return {
    pools,
    others: [
      ...unused.flatMap((ledger) =>
        ledger.leftOvers('no pool in these files uses it').map((left) => ({ label: ledger.label, ...left })),
      ),
      ...others.map((document) => ({
        label: labelOf(document),
        path: '',
        value: (JSON.stringify(document.value) ?? '').slice(0, 100),
        why: 'is neither a Provisioner or NodePool nor an AWSNodeTemplate or EC2NodeClass',
      })),
    ],
    notes: [],
  };
}

function isPool(value: unknown): boolean {
  return ['Provisioner', 'NodePool'].includes(String(asMap(value).kind));
}

function isNodeClass(value: unknown): boolean {
  return ['AWSNodeTemplate', 'EC2NodeClass'].includes(String(asMap(value).kind));
}

function nameOf(value: unknown): string {
  return String(asMap(asMap(value).metadata).name ?? '');
}

function poolOf(
  document: InputDocument,
  classes: ReadonlyMap<string, Ledger>,
  shown: Set<Ledger>,
  taken: ReadonlySet<string>,
): ImportedPool {
  const ledger = new Ledger(labelOf(document), document.value);
  for (const path of [['apiVersion'], ['kind'], ['metadata', 'name']]) ledger.take(...path);
  ledger.leave(['status'], NOT_CONFIGURATION);
  const remarks: Record<string, string> = {};
  const alpha = asMap(document.value).kind === 'Provisioner';
  const own = alpha ? alphaFields(ledger, remarks) : betaFields(ledger, remarks);
  const sources: ImportedSource[] = [{ ledger, otherwise: OTHERWISE }];
  const nodeClass = nodeClassFields(ledger, alpha, classes, remarks);
  if (nodeClass.ledger && !shown.has(nodeClass.ledger)) {
    shown.add(nodeClass.ledger);
    sources.push({ ledger: nodeClass.ledger, otherwise: OTHERWISE });
  }
  const pool: Record<string, unknown> = { ...own, ...nodeClass.fields };
  if (pool.role === undefined && pool.instanceProfile === undefined) {
    pool.role = PLACEHOLDER_ROLE;
    remarks.role = 'edit this: the files have neither a role nor an instance profile';
  }
  return {
    name: freeName([nameOf(document.value)], taken),
    settings: { max: DEFAULT_MAX, pool },
    remarks: {
      max: 'upper bound of the headroom; none is held until you set base or a window',
      pool: Object.entries(remarks).map(([key, text]) => `${key}: ${text}`),
    },
    sources,
  };
}

function nodeClassFields(
  ledger: Ledger,
  alpha: boolean,
  classes: ReadonlyMap<string, Ledger>,
  remarks: Record<string, string>,
): { readonly ledger?: Ledger; readonly fields: Record<string, unknown> } {
  const inline: Path = ['spec', 'provider'];
  if (alpha && ledger.peek(...inline) !== undefined) {
    for (const key of ['apiVersion', 'kind']) ledger.take(...inline, key);
    return { fields: takeNodeClass(ledger, inline, remarks) };
  }
  const reference: Path = alpha ? ['spec', 'providerRef'] : ['spec', 'template', 'spec', 'nodeClassRef'];
  const name = ledger.peek(...reference, 'name');
  const found = classes.get(String(name));
  if (!found) {
    ledger.leave(
      reference,
      'is not in these files; pass its file too, or set subnets, security groups and AMI under pool',
    );
    return { fields: {} };
  }
  ledger.takeFields(reference, ['apiVersion', 'group', 'kind', 'name']);
  for (const path of [['apiVersion'], ['kind'], ['metadata', 'name']]) found.take(...path);
  found.leave(['status'], NOT_CONFIGURATION);
  return { ledger: found, fields: takeNodeClass(found, ['spec'], remarks) };
}

function alphaFields(ledger: Ledger, remarks: Record<string, string>): Record<string, unknown> {
  const fields = takeRequirements(ledger, ['spec', 'requirements']);
  const kubelet = ledger.peek('spec', 'kubeletConfiguration');
  ledger.leave(['spec', 'kubeletConfiguration', 'containerRuntime'], 'containerd is the only runtime');
  return {
    ...fields,
    ...taken(ledger, ['spec'], ['labels', 'annotations', 'taints', 'startupTaints', 'weight']),
    ...optional('limits', ledger.take('spec', 'limits', 'resources')),
    ...(kubelet !== undefined && {
      kubelet: takeAllBut(ledger, ['spec', 'kubeletConfiguration'], ['containerRuntime']),
    }),
    disruption: alphaDisruption(ledger, remarks),
    expireAfter: expiry(ledger.take('spec', 'ttlSecondsUntilExpired')),
  };
}

/** Nodes that were not told to expire never did; v1 would end them after 720h. */
function expiry(seconds: unknown): string {
  return typeof seconds === 'number' ? `${seconds}s` : 'Never';
}

function alphaDisruption(ledger: Ledger, remarks: Record<string, string>): Record<string, unknown> {
  const empty = ledger.take('spec', 'ttlSecondsAfterEmpty');
  const consolidation = ledger.take('spec', 'consolidation', 'enabled');
  if (typeof empty === 'number') return { consolidationPolicy: 'WhenEmpty', consolidateAfter: `${empty}s` };
  if (consolidation === true) return atOnce(remarks);
  remarks.disruption = 'nodes were never removed, because neither ttlSecondsAfterEmpty nor consolidation was set';
  return { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' };
}

function atOnce(remarks: Record<string, string>): Record<string, unknown> {
  remarks.disruption = 'as before; set consolidateAfter to 5m or more to keep the headroom stable';
  return { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' };
}

function betaFields(ledger: Ledger, remarks: Record<string, string>): Record<string, unknown> {
  const template: Path = ['spec', 'template'];
  const fields = takeRequirements(ledger, [...template, 'spec', 'requirements']);
  return {
    ...fields,
    ...anythingElse(fields),
    ...taken(ledger, [...template, 'metadata'], ['labels', 'annotations']),
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

function betaDisruption(ledger: Ledger, remarks: Record<string, string>): Record<string, unknown> {
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

function taken(ledger: Ledger, path: Path, keys: readonly string[]): Record<string, unknown> {
  return Object.assign({}, ...keys.map((key) => optional(key, ledger.take(...path, key))));
}

function takeAllBut(ledger: Ledger, path: Path, without: readonly string[]): Record<string, unknown> {
  const keys = Object.keys(asMap(ledger.peek(...path))).filter((key) => !without.includes(key));
  return taken(ledger, path, keys);
}

function optional(key: string, value: unknown): Record<string, unknown> {
  return value === undefined || value === null ? {} : { [key]: value };
}
