import { AMI_FAMILIES, AmiAlias, AmiSelector } from '../../../shared/core/config/schema/node-class-schema';
import { asList, asMap, type Values } from '../../../shared/core/config/yaml/untyped';
import type { FieldLedger, Path } from '../input/field-ledger';
import { isIds, termsOf } from './selector-terms';

/** The families that have an alias. */
const WITH_ALIAS: readonly string[] = AMI_FAMILIES.filter((family) => family !== 'Custom');
/** Karpenter v1 has no Ubuntu family; its own conversion made such node classes boot like AL2. */
const BOOTS_LIKE: Readonly<Record<string, string>> = { Ubuntu: 'AL2' };

/** v1 requires an AMI: an alias for the families of AWS, or a selector. Nothing if nodes cannot run that family any more. */
export function takeAmi(ledger: FieldLedger, path: Path, remarks: Record<string, string>): Values | undefined {
  const given = ledger.peek(...path, 'amiFamily');
  const family = typeof given === 'string' && given !== '' ? given : 'AL2';
  const alias = takeAlias(ledger, path);
  const terms = alias === undefined ? takeTerms(ledger, path) : [];
  if (terms.length > 0) return selected(ledger, path, family, terms, remarks);
  if (alias === undefined && !WITH_ALIAS.includes(family)) return unknownFamily(ledger, path, family, remarks);
  ledger.take(...path, 'amiFamily');
  if (alias !== undefined) return { ami: alias, ...(given === 'Custom' && { amiFamily: given }) };
  const byFamily = `${family.toLowerCase()}@latest`;
  const pinned = wasPinned(ledger, path);
  const about = [
    pinned &&
      `the AMI was pinned, and that could not be carried over (see above): ${byFamily} is the newest of ${family}`,
    family === 'AL2' &&
      `${pinned ? '' : oldLinux(given)}there are no AL2 images for Kubernetes 1.33 and newer, use al2023@latest`,
  ].filter((text) => text !== false);
  if (about.length > 0) remarks.ami = about.join('; ');
  return { ami: byFamily };
}

function oldLinux(given: unknown): string {
  return typeof given === 'string' && given !== '' ? 'AL2; ' : 'AL2 was the default; ';
}

function takeAlias(ledger: FieldLedger, path: Path): string | undefined {
  for (const [index, term] of asList(ledger.peek(...path, 'amiSelectorTerms')).entries()) {
    const { alias } = asMap(term);
    if (alias === undefined) continue;
    const here: Path = [...path, 'amiSelectorTerms', index, 'alias'];
    if (AmiAlias.safeParse(alias).success) return String(ledger.take(...here));
    ledger.leave(here, 'is not an alias that Karpenter v1 knows');
  }
  return undefined;
}

function takeTerms(ledger: FieldLedger, path: Path): readonly unknown[] {
  const given = asList(ledger.peek(...path, 'amiSelectorTerms'));
  const terms = given.flatMap((raw, index) => {
    const here: Path = [...path, 'amiSelectorTerms', index];
    if ('alias' in asMap(raw)) return [];
    // An account number without quotes is a number in YAML.
    const { owner, ...rest } = asMap(raw);
    const term = owner === undefined ? rest : { ...rest, owner: String(owner) };
    if (AmiSelector.safeParse([term]).success) {
      ledger.take(...here);
      return [term];
    }
    ledger.leave(here, 'is not an AMI that Karpenter v1 can look up');
    return [];
  });
  return terms.length > 0 ? terms : takeOldTerms(ledger, [...path, 'amiSelector']);
}

function takeOldTerms(ledger: FieldLedger, path: Path): readonly unknown[] {
  const all = amiTerms(asMap(ledger.peek(...path)));
  const terms = all.filter((term) => AmiSelector.safeParse([term]).success);
  if (terms.length === all.length && all.length > 0) ledger.take(...path);
  else if (terms.length > 0)
    ledger.leave(path, `of these only ${terms.length} can be looked up, and ${all.length - terms.length} cannot`);
  else ledger.leave(path, 'is not an AMI that Karpenter v1 can look up');
  return terms;
}

function wasPinned(ledger: FieldLedger, path: Path): boolean {
  return ['amiSelectorTerms', 'amiSelector', 'launchTemplate', 'launchTemplateName'].some((key) => {
    const value = ledger.peek(...path, key);
    return value !== undefined && value !== null && (typeof value !== 'object' || Object.keys(value).length > 0);
  });
}

function selected(
  ledger: FieldLedger,
  path: Path,
  family: string,
  terms: readonly unknown[],
  remarks: Record<string, string>,
): Values {
  const here: Path = [...path, 'amiFamily'];
  if ((AMI_FAMILIES as readonly string[]).includes(family)) {
    if (ledger.take(...here) === undefined) remarks.amiFamily = 'AL2 was the default';
    return { amiSelector: terms, amiFamily: family };
  }
  const like = BOOTS_LIKE[family];
  ledger.leave(
    here,
    like === undefined
      ? 'is not an AMI family of Karpenter v1; Custom passes the user data on as it is'
      : `Karpenter v1 has no such family; it boots these images like ${like}`,
  );
  remarks.amiFamily =
    like === undefined
      ? `Custom, instead of ${family}: the user data must join the node to the cluster by itself`
      : `${like}: how Karpenter v1 boots images of ${family}`;
  return { amiSelector: terms, amiFamily: like ?? 'Custom' };
}

function unknownFamily(ledger: FieldLedger, path: Path, family: string, remarks: Record<string, string>): undefined {
  ledger.leave(
    [...path, 'amiFamily'],
    'cannot be named by an alias of Karpenter v1; al2023@latest is used instead: set amiSelector, and amiFamily: Custom or the family that boots like it',
  );
  remarks.ami = `al2023@latest, the default, instead of ${family}: nodes run another system than before`;
}

function amiTerms({ 'aws::name': name, 'aws::owners': owners, ...rest }: Values): readonly Values[] {
  const ids = Object.entries(rest).filter(([key]) => isIds(key));
  const isEmpty = Object.keys(rest).length === 0;
  if (isEmpty && name === undefined && owners === undefined) return [];
  const base = isEmpty ? [{}] : termsOf(ids.length > 0 ? Object.fromEntries(ids) : rest);
  const named = base.map((term) => ({ ...term, ...(name !== undefined && { name: String(name) }) }));
  if (owners === undefined) return named;
  return String(owners)
    .split(',')
    .flatMap((owner) => named.map((term) => ({ ...term, owner: owner.trim() })));
}
