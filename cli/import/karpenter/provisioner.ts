import { asMap } from '../../../shared/core/config/yaml/untyped';
import type { InputDocument } from '../input/documents';
import { FieldLedger, leftWhole, type Path } from '../input/field-ledger';
import { freeName, type Imported, type ImportedPool, type ImportedSource, WHY } from '../input/imported';
import { takeNodeClass } from './node-class';
import { alphaFields, betaFields } from './node-pool';

const OTHERWISE = 'has no counterpart in a pool block';
const DEFAULT_MAX = 10;
const PLACEHOLDER_CLUSTER = 'my-cluster';
const AUTO_MODE =
  'is a NodePool of EKS Auto Mode, and a pool block creates an EC2NodeClass; keep it, and name it under nodePools without a pool block';

/** Old Karpenter objects as `pool` blocks of the v1 API. */
export function importProvisioner(
  documents: readonly InputDocument[],
  _nodePool: string,
  clusterName = PLACEHOLDER_CLUSTER,
): Imported {
  const classes = new Map<string, FieldLedger>();
  for (const document of documents)
    if (isNodeClass(document.value)) classes.set(nameOf(document.value), new FieldLedger(document));
  const listed = new Set<FieldLedger>();
  const taken = new Set<string>();
  const importable = documents.filter(({ value }) => isPool(value) && foreignClass(value) === undefined);
  const pools = importable.map((document) => {
    const pool = poolOf(document, { classes, listed, taken, clusterName });
    taken.add(pool.name);
    return pool;
  });
  const unused = [...classes.values()].filter((ledger) => !listed.has(ledger));
  const others = documents.filter((document) => !importable.includes(document) && !isNodeClass(document.value));
  return {
    pools,
    others: [
      ...unused.flatMap((ledger) =>
        ledger
          .leftOvers('no Provisioner or NodePool in these files uses it; pass the file of that too')
          .map((left) => ({ label: ledger.label, ...left })),
      ),
      ...others.map((document) => leftWhole(document, whyOther(document.value))),
    ],
    notes: [],
  };
}

function whyOther(value: unknown): string {
  return isPool(value)
    ? (foreignClass(value) ?? '')
    : 'is neither a Provisioner or NodePool nor an AWSNodeTemplate or EC2NodeClass';
}

function isPool(value: unknown): boolean {
  return ['Provisioner', 'NodePool'].includes(String(asMap(value).kind));
}

/** Why a NodePool without an EC2NodeClass cannot become a `pool` block. */
function foreignClass(value: unknown): string | undefined {
  const template = asMap(asMap(asMap(value).spec).template);
  const { group, kind = 'EC2NodeClass', apiVersion } = asMap(asMap(template.spec).nodeClassRef);
  const api = String(group ?? apiVersion ?? 'karpenter.k8s.aws').split('/')[0];
  if (api === 'eks.amazonaws.com' || kind === 'NodeClass') return AUTO_MODE;
  if (kind === 'EC2NodeClass' && api === 'karpenter.k8s.aws') return undefined;
  return `its node class is ${kind} of ${api}, and a pool block creates an EC2NodeClass`;
}

function isNodeClass(value: unknown): boolean {
  return ['AWSNodeTemplate', 'EC2NodeClass'].includes(String(asMap(value).kind));
}

function nameOf(value: unknown): string {
  return String(asMap(asMap(value).metadata).name ?? '');
}

interface Around {
  readonly classes: ReadonlyMap<string, FieldLedger>;
  /** Node classes whose leftovers are listed already. */
  readonly listed: Set<FieldLedger>;
  readonly taken: ReadonlySet<string>;
  readonly clusterName: string;
}

function poolOf(document: InputDocument, { classes, listed, taken, clusterName }: Around): ImportedPool {
  const ledger = new FieldLedger(document);
  for (const path of [['apiVersion'], ['kind'], ['metadata', 'name']]) ledger.take(...path);
  ledger.leave(['status'], WHY.notConfiguration);
  const remarks: Record<string, string> = {};
  const alpha = asMap(document.value).kind === 'Provisioner';
  const reference: Path = alpha ? ['spec', 'providerRef'] : ['spec', 'template', 'spec', 'nodeClassRef'];
  const used = classes.get(String(ledger.peek(...reference, 'name')));
  const hasReservations = used?.peek('spec', 'capacityReservationSelectorTerms') !== undefined;
  const own = alpha ? alphaFields(ledger, remarks) : betaFields(ledger, remarks, hasReservations);
  const sources: ImportedSource[] = [{ ledger, otherwise: OTHERWISE }];
  const nodeClass = nodeClassFields(ledger, reference, used, remarks);
  if (nodeClass.ledger && !listed.has(nodeClass.ledger)) {
    listed.add(nodeClass.ledger);
    sources.push({ ledger: nodeClass.ledger, otherwise: OTHERWISE });
  }
  const pool: Record<string, unknown> = { ...own, ...nodeClass.fields };
  if (pool.role === undefined && pool.instanceProfile === undefined) {
    pool.role = `KarpenterNodeRole-${clusterName}`;
    remarks.role = 'edit this: the files name neither a role nor an instance profile that IAM can have';
  }
  const given = nameOf(document.value);
  const name = freeName([given], taken);
  return {
    name,
    about: name === given ? [] : [renamed(given, taken.has(given))],
    settings: { max: DEFAULT_MAX, pool },
    remarks: {
      max: 'upper bound of the headroom; none is held until you set base or a window',
      pool: Object.entries(remarks).map(([key, text]) => `${key}: ${text}`),
    },
    sources,
  };
}

function renamed(given: string, isTaken: boolean): string {
  if (given === '') return 'The object has no metadata.name; the name here is made up.';
  return isTaken
    ? `The name ${given} is taken by an entry above; this one got another name.`
    : `The name ${given} is not one that a NodePool can have; it is changed.`;
}

function nodeClassFields(
  ledger: FieldLedger,
  reference: Path,
  found: FieldLedger | undefined,
  remarks: Record<string, string>,
): { readonly ledger?: FieldLedger; readonly fields: Record<string, unknown> } {
  const inline: Path = ['spec', 'provider'];
  if (reference[1] === 'providerRef' && ledger.peek(...inline) !== undefined) {
    for (const key of ['apiVersion', 'kind']) ledger.take(...inline, key);
    return { fields: takeNodeClass(ledger, inline, remarks) };
  }
  if (!found) {
    ledger.leave(
      reference,
      'is not in these files; pass its file too, or set subnets, security groups and AMI under pool',
    );
    remarks.ami = 'al2023@latest, the default of a pool block: the files do not tell what the nodes ran';
    remarks['subnets, securityGroups'] = 'by default those tagged karpenter.sh/discovery with the name of the cluster';
    return { fields: {} };
  }
  ledger.takeFields(reference, ['apiVersion', 'group', 'kind', 'name']);
  for (const path of [['apiVersion'], ['kind'], ['metadata', 'name']]) found.take(...path);
  found.leave(['status'], WHY.notConfiguration);
  return { ledger: found, fields: takeNodeClass(found, ['spec'], remarks) };
}
