import { asMap } from '../../../shared/core/config/yaml/untyped';
import type { FieldLedger, Path } from '../input/field-ledger';

const IDS = ['aws-ids', 'aws::ids'];

export function isIds(key: string): boolean {
  return IDS.includes(key);
}

/** Takes a list of terms as it is, or converts an old map of tags and ids. */
export function takeSelector(ledger: FieldLedger, path: Path, kind: 'subnet' | 'securityGroup'): unknown {
  const terms = ledger.take(...path, `${kind}SelectorTerms`);
  if (terms !== undefined) return terms;
  return takeOldSelector(ledger, [...path, `${kind}Selector`]);
}

function takeOldSelector(ledger: FieldLedger, path: Path): readonly Record<string, unknown>[] | undefined {
  const selector = asMap(ledger.peek(...path));
  const keys = Object.keys(selector);
  if (keys.length === 0) return undefined;
  const ids = keys.filter(isIds);
  const used = ids.length > 0 ? ids : keys;
  ledger.takeFields(path, used);
  for (const key of keys)
    if (!used.includes(key)) ledger.leave([...path, key], 'cannot be combined with ids in v1: the ids alone count');
  return termsOf(Object.fromEntries(used.map((key) => [key, selector[key]])));
}

/** Comma-separated values are alternatives; keys must all match. */
export function termsOf(selector: Readonly<Record<string, unknown>>): readonly Record<string, unknown>[] {
  const values = (text: unknown) =>
    String(text ?? '')
      .split(',')
      .map((one) => one.trim())
      .map((one) => (one === '' ? '*' : one));
  const ids = Object.entries(selector).filter(([key]) => isIds(key));
  if (ids.length > 0) return ids.flatMap(([, text]) => values(text).map((id) => ({ id })));
  const combined = Object.entries(selector).reduce<readonly Record<string, string>[]>(
    (terms, [key, text]) => terms.flatMap((term) => values(text).map((value) => ({ ...term, [key]: value }))),
    [{}],
  );
  return combined.map((tags) => ({ tags }));
}
