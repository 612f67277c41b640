import { asMap, type Values } from '../../../shared/core/config/yaml/untyped';
import type { InputDocument } from '../input/documents';
import { FieldLedger, leftWhole, type Path } from '../input/field-ledger';
import { freeName, type Imported, type ImportedPool, WHY } from '../input/imported';
import { alphaFields, betaFields } from './node-pool';
import { takeNodeClass } from './take-node-class';

const OTHERWISE = 'has no counterpart in a pool block';
const DEFAULT_MAX = 10;
const PLACEHOLDER_CLUSTER = 'my-cluster';
const AUTO_MODE =
  'is a NodePool of EKS Auto Mode, and a pool block creates an EC2NodeClass; keep it, and name it under nodePools without a pool block';

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
        ledger.labelled('no Provisioner or NodePool in these files uses it; pass the file of that too'),
      ),
      ...others.map((document) => leftWhole(document, whyOther(document.value))),
    ],
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
  ledger.takeIdentity();
  ledger.leave(['status'], WHY.notConfiguration);
  const remarks: Record<string, string> = {};
  const alpha = asMap(document.value).kind === 'Provisioner';
  const reference: Path = alpha ? ['spec', 'providerRef'] : ['spec', 'template', 'spec', 'nodeClassRef'];
  const used = classes.get(String(ledger.peek(...reference, 'name')));
  const hasReservations = used?.peek('spec', 'capacityReservationSelectorTerms') !== undefined;
  const own = alpha ? alphaFields(ledger, remarks) : betaFields(ledger, remarks, hasReservations);
  const isInline = alpha && ledger.peek('spec', 'provider') !== undefined;
  const fields = isInline ? takeInline(ledger, remarks) : takeReferred(ledger, reference, used, remarks);
  const isNew = used && !isInline && !listed.has(used);
  if (isNew) listed.add(used);
  const pool = { ...own, ...fields };
  const hasIdentity = pool.role !== undefined || pool.instanceProfile !== undefined;
  if (!hasIdentity) remarks.role = 'edit this: the files name neither a role nor an instance profile that IAM can have';
  const given = nameOf(document.value);
  const name = freeName([given], taken);
  return {
    name,
    about: name === given ? [] : [renamed(given, taken.has(given))],
    settings: {
      max: DEFAULT_MAX,
      pool: hasIdentity ? pool : { ...pool, role: `KarpenterNodeRole-${clusterName}` },
    },
    remarks: {
      max: 'upper bound of the headroom; none is held until you set base or a window',
      pool: Object.entries(remarks).map(([key, text]) => `${key}: ${text}`),
    },
    sources: [ledger, ...(isNew ? [used] : [])].map((one) => ({ ledger: one, otherwise: OTHERWISE })),
  };
}

function renamed(given: string, isTaken: boolean): string {
  if (given === '') return 'The object has no metadata.name; the name here is made up.';
  return isTaken
    ? `The name ${given} is taken by an entry above; this one got another name.`
    : `The name ${given} is not one that a NodePool can have; it is changed.`;
}

function takeInline(ledger: FieldLedger, remarks: Record<string, string>): Values {
  ledger.takeFields(['spec', 'provider'], ['apiVersion', 'kind']);
  return takeNodeClass(ledger, ['spec', 'provider'], remarks);
}

function takeReferred(
  ledger: FieldLedger,
  reference: Path,
  found: FieldLedger | undefined,
  remarks: Record<string, string>,
): Values {
  if (!found) {
    ledger.leave(
      reference,
      'is not in these files; pass its file too, or set subnets, security groups and AMI under pool',
    );
    remarks.ami = 'al2023@latest, the default of a pool block: the files do not tell what the nodes ran';
    remarks['subnets, securityGroups'] = 'by default those tagged karpenter.sh/discovery with the name of the cluster';
    return {};
  }
  ledger.takeFields(reference, ['apiVersion', 'group', 'kind', 'name']);
  found.takeIdentity();
  found.leave(['status'], WHY.notConfiguration);
  return takeNodeClass(found, ['spec'], remarks);
}
