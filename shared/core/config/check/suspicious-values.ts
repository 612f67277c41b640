import { type Located, type Path, problemAt, problemFor, valueAt } from '../yaml/located';
import { type Problem, showValue } from '../yaml/problem';
import { asList, asMap, type Values } from '../yaml/untyped';
import { INSTANCE_CATEGORIES, INSTANCE_FAMILIES, INSTANCE_NAMES_OF, INSTANCE_SIZES } from './instance-names';
import { nearest } from './nearest';

/** `${X}`, `$(X)`, `<<X>>`, `{{ x }}`; alone also `<x>`, `{X}` and `$X`. */
const PLACEHOLDER = /\$\{[^}]+\}|\$\(\w+\)|<<[^<>]+>>|\{\{[^{}]+\}\}|^<[^<>]+>$|^\{[A-Z][A-Z0-9_]*\}$|^\$[A-Z_]+$/;
/** What is text for a shell or another program. */
const SCRIPTS = ['userData'];

const FAMILY = { what: 'instance family', known: INSTANCE_FAMILIES };
const SIZE = { what: 'instance size', known: INSTANCE_SIZES };
const CATEGORY = { what: 'instance category', known: INSTANCE_CATEGORIES };
type Names = typeof FAMILY;

const REQUIREMENTS: ReadonlyMap<unknown, Names | 'type'> = new Map<unknown, Names | 'type'>([
  ['karpenter.k8s.aws/instance-family', FAMILY],
  ['karpenter.k8s.aws/instance-size', SIZE],
  ['karpenter.k8s.aws/instance-category', CATEGORY],
  ['node.kubernetes.io/instance-type', 'type'],
]);

/** What is written as the schema wants it, and can hardly be meant: placeholders, and names that AWS does not have. */
export function doubtsOf(tree: Located): Problem[] {
  const pools = asMap(valueAt(tree, ['nodePools']));
  const found = [
    ...placeholders(tree, []),
    ...Object.entries(pools).flatMap(([name, pool]) =>
      poolDoubts(tree, ['nodePools', name, 'pool'], asMap(asMap(pool).pool)),
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

function isPlaceholder(value: unknown): boolean {
  return typeof value === 'string' && PLACEHOLDER.test(value);
}

function poolDoubts(tree: Located, path: Path, pool: Values): Problem[] {
  const say = (key: Path, message: string | undefined) =>
    message === undefined ? [] : [problemAt(tree, [...path, ...key], message)];
  const each = (key: Path, values: unknown, names: Names | 'type') =>
    asList(values).flatMap((value, index) => say([...key, index], nameDoubt(String(value), names)));
  const required = (key: Path, list: unknown) =>
    asList(list).flatMap((one, index) => {
      const names = REQUIREMENTS.get(asMap(one).key);
      return names ? each([...key, index, 'values'], asMap(one).values, names) : [];
    });
  return [
    ...each(['family'], pool.family, FAMILY),
    ...each(['size'], pool.size, SIZE),
    ...each(['category'], pool.category, CATEGORY),
    ...each(['instanceTypes'], pool.instanceTypes, 'type'),
    ...required(['requirements'], pool.requirements),
    ...required(['spot', 'requirements'], asMap(pool.spot).requirements),
    ...say(['ami'], aliasDoubt(pool.ami)),
  ];
}

function nameDoubt(value: string, names: Names | 'type'): string | undefined {
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
function aliasDoubt(ami: unknown): string | undefined {
  if (typeof ami !== 'string' || isPlaceholder(ami)) return undefined;
  const [family = '', version = ''] = ami.split('@');
  const dated = family === 'bottlerocket' ? /^v?\d+\.\d+\.\d+$/ : /^v\d{8}$/;
  if (version === 'latest' || dated.test(version)) return undefined;
  const example = family === 'bottlerocket' ? 'v1.40.0' : 'v20260801';
  return `is ${showValue(ami)}, and ${family} has no such version; write ${family}@latest or ${family}@${example}`;
}
