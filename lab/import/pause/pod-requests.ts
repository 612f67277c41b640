import { quantityText } from '../../../cli/terminal/quantity-text';
import { parseQuantity } from '../../../shared/core/config/schema/quantity';
import { asList, asMap } from '../../../shared/core/config/yaml/untyped';
import type { FieldLedger, Path } from '../input/field-ledger';

/** Amounts by resource, each with its original text unless it is a sum. */
type Amounts = ReadonlyMap<string, { readonly value: number; readonly text: string | undefined }>;

/**
 * What one pod requests, as the scheduler counts it: the sum of its containers and
 * sidecars, or its largest init container if that is more.
 */
export function takeRequests(
  ledger: FieldLedger,
  { pod, resources }: { readonly pod: Path; readonly resources?: Path },
): Record<string, string> {
  if (resources) return texts(takeResources(ledger, resources));
  const each = (key: string) => asList(ledger.peek(...pod, key)).map((_, index): Path => [...pod, key, index]);
  const containers = each('containers').map((path) => takeResources(ledger, [...path, 'resources']));
  const inits = each('initContainers').map((path) => ({
    sidecar: ledger.peek(...path, 'restartPolicy') === 'Always',
    amounts: takeResources(ledger, [...path, 'resources']),
  }));
  const sidecars = inits.filter(({ sidecar }) => sidecar).map(({ amounts }) => amounts);
  const running = total([...containers, ...sidecars]);
  return texts(inits.reduce<Amounts>((most, { amounts }) => larger(most, amounts), running));
}

/** Without a request the limit counts, as in Kubernetes. */
function takeResources(ledger: FieldLedger, path: Path): Amounts {
  const amounts = new Map<string, { value: number; text: string }>();
  const { requests, limits } = asMap(ledger.peek(...path));
  for (const [from, map] of Object.entries({ requests, limits }))
    for (const [resource, value] of Object.entries(asMap(map))) {
      if (from === 'limits' && resource in asMap(requests)) {
        ledger.leave([...path, from, resource], 'pause pods use nothing, so they need no limit');
        continue;
      }
      const quantity = parseQuantity(String(value));
      if (quantity === undefined) ledger.leave([...path, from, resource], 'is not a quantity, and was not counted');
      else {
        ledger.take(...path, from, resource);
        amounts.set(resource, { value: quantity, text: String(value) });
      }
    }
  return amounts;
}

function total(all: readonly Amounts[]): Amounts {
  const sums = new Map<string, { value: number; text: string | undefined }>();
  for (const amounts of all)
    for (const [resource, one] of amounts) {
      const sum = sums.get(resource);
      sums.set(resource, sum ? { value: sum.value + one.value, text: undefined } : one);
    }
  return sums;
}

function larger(a: Amounts, b: Amounts): Amounts {
  const most = new Map(a);
  for (const [resource, one] of b) if (one.value > (most.get(resource)?.value ?? 0)) most.set(resource, one);
  return most;
}

/** Keeps the original text where a binary unit would be awkward: `256M`, not `250000Ki`. */
function texts(amounts: Amounts): Record<string, string> {
  return Object.fromEntries(
    [...amounts].map(([resource, { value, text }]) => {
      const short = quantityText(resource, value);
      return [resource, /(Ki|\d)$/.test(short) && resource !== 'cpu' ? (text ?? short) : short];
    }),
  );
}
