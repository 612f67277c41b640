import { command } from '../../../cli/input/commands';
import { DEFAULTS } from '../../../shared/core/config/schema/defaults';
import { asList, asMap } from '../../../shared/core/config/yaml/untyped';
import type { InputDocument } from '../input/documents';
import type { FieldLedger, Path } from '../input/field-ledger';
import { WHY } from '../input/imported';

export interface PodRole {
  /** They only hold a place for others. */
  readonly isPause: boolean;
  /** Work preempts them. */
  readonly yields: boolean;
  /** Their PriorityClass, where it is not among the files. */
  readonly unknownClass?: string;
}

/** The priorities of the PriorityClasses among the files, and of pods that name none. */
export interface Priorities {
  readonly byClass: ReadonlyMap<string, number>;
  readonly ordinary: number;
}

const PAUSE_IMAGE = /(^|[/-])pause(-\w+)?(:|@|$)/;
const PAUSE_NAME =
  /(^|-)(inflate|over-?provision\w*|placeholders?|headroom|capacity-reservation|balloons?|pause-pods?)(-|$)/i;
/** Every cluster has these. */
const SYSTEM_CLASSES: readonly (readonly [string, number])[] = [
  ['system-cluster-critical', 2_000_000_000],
  ['system-node-critical', 2_000_001_000],
];
/** Registries that get no new images, and are being shut down. */
const FROZEN = /^(k8s\.gcr\.io|gcr\.io\/google[_-]containers)\//;

/** Whether a name alone tells that something holds a place. */
export function namesPause(name: unknown): boolean {
  return typeof name === 'string' && PAUSE_NAME.test(name);
}

export function prioritiesOf(documents: readonly InputDocument[]): Priorities {
  const classes = documents.map(({ value }) => asMap(value)).filter(({ kind }) => kind === 'PriorityClass');
  const usual = classes.find(({ globalDefault }) => globalDefault === true);
  return {
    byClass: new Map([
      ...SYSTEM_CLASSES,
      ...classes.map(({ metadata, value }) => [String(asMap(metadata).name), Number(value ?? 0)] as const),
    ]),
    ordinary: Number(usual?.value ?? 0),
  };
}

/** By image, name and priority. A class that is not among the files says nothing about its value, so its pods are taken for room. */
export function podRoleOf(ledger: FieldLedger, pod: Path, { byClass, ordinary }: Priorities): PodRole {
  const images = asList(ledger.peek(...pod, 'containers')).map((one) => String(asMap(one).image ?? ''));
  const className = ledger.peek(...pod, 'priorityClassName');
  const named = typeof className === 'string' ? className : '';
  const given = ledger.peek(...pod, 'priority');
  const value =
    typeof given === 'number' ? given : (byClass.get(named) ?? (named === '' ? Math.max(0, ordinary) : undefined));
  const isPauseImage = images.length === 1 && PAUSE_IMAGE.test(images[0] ?? '');
  const isPause = isPauseImage || namesPause(ledger.peek('metadata', 'name'));
  if (value === undefined) return { isPause: isPause || namesPause(named), yields: true, unknownClass: named };
  return { isPause: isPause || value < 0, yields: value < Math.max(0, ordinary) };
}

/** How to let the value of a class decide that is not among the files. */
export function includeClass(name: string): string {
  return `the PriorityClass ${name} is not among the files; pass the output of ${command('kubectl get priorityclasses', name, '-o', 'yaml')} too`;
}

/** The pause image, where it is not the default; and a word on class, image and grace period. */
export function takePauseSettings(
  ledger: FieldLedger,
  pod: Path,
  { byClass }: Priorities,
): { readonly image?: string } {
  const className = ledger.peek(...pod, 'priorityClassName');
  const value = byClass.get(String(className));
  const known = value === undefined || value === -10 ? '' : `, instead of ${value}`;
  ledger.leave([...pod, 'priorityClassName'], `${WHY.ownPriorityClass}${known}`);
  ledger.leave([...pod, 'priority'], WHY.ownPriorityClass);
  if (Number(ledger.peek(...pod, 'terminationGracePeriodSeconds')) === 0)
    ledger.take(...pod, 'terminationGracePeriodSeconds');
  ledger.leave([...pod, 'terminationGracePeriodSeconds'], 'pause pods stop immediately');
  const path: Path = [...pod, 'containers', 0, 'image'];
  const image = ledger.peek(...path);
  if (typeof image !== 'string') return {};
  if (image === DEFAULTS.image) ledger.take(...path);
  const why = replacedImage(image);
  if (why !== undefined) ledger.leave(path, `${why}; ${DEFAULTS.image} is used instead`);
  return why !== undefined || image === DEFAULTS.image ? {} : { image: String(ledger.take(...path)) };
}

export function replacedImage(image: string): string | undefined {
  if (FROZEN.test(image)) return `the registry ${image.split('/')[0]} is frozen`;
  if (!PAUSE_IMAGE.test(image)) return 'headroom runs a pause image, which does nothing';
  return /(:[^/:]+|@[^@]+)$/.test(image) ? undefined : 'has no tag';
}

/** A custom pause image of a chart's values is carried over, unless it has no tag or is in a frozen registry. */
export function imageOf(ledger: FieldLedger, path: Path): string | undefined {
  const { repository, tag } = asMap(ledger.peek(...path));
  const image = `${repository ?? DEFAULTS.image.split(':')[0]}${tag === undefined || tag === null || tag === '' ? '' : `:${tag}`}`;
  const why = replacedImage(image);
  if (why === undefined) {
    ledger.takeFields(path, ['repository', 'tag']);
    return image;
  }
  for (const key of ['repository', 'tag']) ledger.leave([...path, key], `${why}; ${DEFAULTS.image} is used instead`);
  return undefined;
}
