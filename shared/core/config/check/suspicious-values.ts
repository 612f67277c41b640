import { nearest } from '../../basics/nearest';
import type { Config } from '../config';
import type { PoolInput } from '../schema/pool-schema';
import { type Located, type Path, problemAt, problemFor } from '../yaml/located';
import { type Problem, showValue } from '../yaml/problem';

/**
 * The instance families and sizes of EC2, from Karpenter's reference of instance types of this date, with older and
 * regional ones. AWS adds families all the time: they serve for warnings only.
 */
const INSTANCE_NAMES_OF = '2026-07-11';
const INSTANCE_FAMILIES: ReadonlySet<string> = words(
  'a1 c1 c3 c4 c5 c5a c5ad c5d c5n c6a c6g c6gd c6gn c6i c6id c6in c7a c7g c7gd c7gn c7i c7i-flex c8a c8g c8gb ' +
    'c8gd c8gn c8i c8i-flex c8ib c8id c8in c8ine c9g c9gd cc2 cr1 d2 d3 d3en dl1 dl2q f1 f2 g2 g3 g3s g4ad g4dn g5 ' +
    'g5g g6 g6e g6f g7 g7e gr6 gr6f h1 hpc6a hpc6id hpc7a hpc7g hpc8a hs1 i2 i3 i3en i4g i4i i7i i7ie i8g i8ge ' +
    'im4gn inf1 inf2 is4gen m1 m2 m3 m4 m5 m5a m5ad m5d m5dn m5n m5zn m6a m6g m6gd m6i m6id m6idn m6in m7a m7g m7gd ' +
    'm7i m7i-flex m8a m8azn m8g m8gb m8gd m8gn m8i m8i-flex m8ib m8id m8idb m8idn m8in m8ine m9g m9gd mac-m4 ' +
    'mac-m4pro mac1 mac2 mac2-m1ultra mac2-m2 mac2-m2pro p2 p3 p3dn p4d p4de p5 p5e p5en p6-b200 p6-b300 p6e-gb200 ' +
    'r3 r4 r5 r5a r5ad r5b r5d r5dn r5n r6a r6g r6gd r6i r6id r6idn r6in r7a r7g r7gd r7i r7iz r8a r8g r8gb r8gd ' +
    'r8gn r8i r8i-flex r8ib r8id r8idb r8idn r8in t1 t2 t3 t3a t4g trn1 trn1n trn2 trn2u u-12tb1 u-18tb1 u-24tb1 ' +
    'u-3tb1 u-6tb1 u-9tb1 u7i-12tb u7i-6tb u7i-8tb u7in-16tb u7in-24tb u7in-32tb u7inh-32tb vt1 x1 x1e x2gd x2idn ' +
    'x2iedn x2iezn x8aedz x8g x8i z1d',
);
const INSTANCE_SIZES: ReadonlySet<string> = words(
  'nano micro small medium large xlarge 2xlarge 3xlarge 4xlarge 6xlarge 8xlarge 9xlarge 10xlarge 12xlarge ' +
    '16xlarge 18xlarge 24xlarge 32xlarge 36xlarge 48xlarge 56xlarge 64xlarge 96xlarge 112xlarge 224xlarge 480xlarge ' +
    'metal metal-12xl metal-16xl metal-24xl metal-32xl metal-48xl metal-96xl',
);
/** The letters that a family begins with: `m` of m7i, `inf` of inf2. */
const INSTANCE_CATEGORIES: ReadonlySet<string> = new Set(
  [...INSTANCE_FAMILIES].map((family) => /^[a-z]+/.exec(family)?.[0] ?? family),
);

/** `${X}`, `{$X}`, `$(X)`, `<<X>>`, `{{ x }}`; alone also `<x>`, `{X}`, `$X`, `YOUR_X`, `X_NAME` and words such as `SNAPSHOT`. */
const PLACEHOLDERS = [
  /\$\{[^{}]+\}|\{\$\w+\}|\$\(\w+\)|<<[^<>]+>>|\{\{[^{}]+\}\}/,
  /^(<[^<>]+>|\{[A-Z][A-Z0-9_]*\}|\$[A-Z_]+|YOUR[_-].+|your[_-].+|[A-Z]+(_[A-Z]+)*_(NAME|ID|ARN|ROLE))$/,
  /^(SNAPSHOT|CLUSTER|REGION|ACCOUNT|ROLE|CHANGE_?ME|REPLACE_?ME|TODO|FIXME)$/,
];
/** What is text for a shell or another program. */
const SCRIPTS = ['userData'];

const FAMILY = { what: 'instance family', known: INSTANCE_FAMILIES };
const SIZE = { what: 'instance size', known: INSTANCE_SIZES };
const CATEGORY = { what: 'instance category', known: INSTANCE_CATEGORIES };
type Names = typeof FAMILY;

const REQUIREMENTS: ReadonlyMap<string, Names | 'type'> = new Map<string, Names | 'type'>([
  ['karpenter.k8s.aws/instance-family', FAMILY],
  ['karpenter.k8s.aws/instance-size', SIZE],
  ['karpenter.k8s.aws/instance-category', CATEGORY],
  ['node.kubernetes.io/instance-type', 'type'],
]);

/** What is written as the schema wants it, and can hardly be meant: placeholders, and names that AWS does not have. */
export function suspiciousValues({ headrooms }: Config, tree: Located): Problem[] {
  const found = [
    ...placeholders(tree, []),
    ...headrooms.flatMap(({ name, nodePool, pool = {} }) =>
      name === nodePool ? suspiciousPool(tree, ['nodePools', name, 'pool'], pool) : [],
    ),
  ];
  // What `defaults` says is read again in every NodePool: it is said once.
  const unique = new Map(found.map((one) => [`${one.file}:${one.line}:${one.column} ${one.message}`, one]));
  return [...unique.values()];
}

function placeholders(tree: Located, path: Path): Problem[] {
  if (tree.kind === 'list') return tree.items.flatMap((item, index) => placeholders(item, [...path, index]));
  if (tree.kind === 'scalar')
    return isPlaceholder(tree.value)
      ? [problemFor(tree.place, path, `is ${showValue(tree.value)}, a placeholder; write the value itself`)]
      : [];
  return [...tree.entries].flatMap(([key, { keyPlace, value }]) => {
    if (SCRIPTS.includes(key)) return [];
    const here = [...path, key];
    const named = isPlaceholder(key)
      ? [problemFor(keyPlace, here, 'has a placeholder in its name; write the name itself')]
      : [];
    return [...named, ...placeholders(value, here)];
  });
}

export function isPlaceholder(value: unknown): boolean {
  return typeof value === 'string' && PLACEHOLDERS.some((pattern) => pattern.test(value));
}

function suspiciousPool(tree: Located, path: Path, pool: PoolInput): Problem[] {
  const say = (key: Path, message: string | undefined) =>
    message === undefined ? [] : [problemAt(tree, [...path, ...key], message)];
  const each = (key: Path, values: readonly string[] = [], names: Names | 'type') =>
    values.flatMap((value, index) => say([...key, index], suspiciousName(value, names)));
  const required = (key: Path, list: PoolInput['requirements'] = []) =>
    list.flatMap(({ key: label, values }, index) => {
      const names = REQUIREMENTS.get(label);
      return names ? each([...key, index, 'values'], values, names) : [];
    });
  return [
    ...each(['family'], pool.family, FAMILY),
    ...each(['size'], pool.size, SIZE),
    ...each(['category'], pool.category, CATEGORY),
    ...each(['instanceTypes'], pool.instanceTypes, 'type'),
    ...required(['requirements'], pool.requirements),
    ...required(['spot', 'requirements'], pool.spot?.requirements),
    ...say(['ami'], suspiciousAlias(pool.ami)),
  ];
}

function suspiciousName(value: string, names: Names | 'type'): string | undefined {
  if (isPlaceholder(value)) return undefined;
  if (names !== 'type') return names.known.has(value) ? undefined : unknownName(value, value, names);
  const [family = '', size] = value.split('.');
  if (size === undefined) return `is ${showValue(value)}, not an instance type; write one such as m7i.large`;
  if (!FAMILY.known.has(family)) return unknownName(value, family, FAMILY);
  return SIZE.known.has(size) ? undefined : unknownName(value, size, SIZE);
}

function unknownName(value: string, part: string, { what, known }: Names): string {
  const near = nearest(part, [...known]);
  const which = value === part ? `which is not an ${what}` : `and ${part} is not an ${what}`;
  const meant = near === undefined ? 'check it' : `did you mean ${value.replace(part, near)}?`;
  return `is ${showValue(value)}, ${which} on the list of ${INSTANCE_NAMES_OF}; ${meant}`;
}

/** Karpenter looks the version up only when it launches the first node. */
function suspiciousAlias(ami = 'al2023@latest'): string | undefined {
  if (isPlaceholder(ami)) return undefined;
  const [family = '', version = ''] = ami.split('@');
  const dated = family === 'bottlerocket' ? /^v?\d+\.\d+\.\d+$/ : /^v\d{8}$/;
  if (version === 'latest' || dated.test(version)) return undefined;
  const example = family === 'bottlerocket' ? 'v1.40.0' : 'v20260801';
  return `is ${showValue(ami)}, and ${family} has no such version; write ${family}@latest or ${family}@${example}`;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
