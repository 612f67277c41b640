import type { z } from 'zod';
import { asMap } from '../../../shared/core/config/yaml/untyped';
import type { Ledger, Path } from '../input/ledger';

/** Takes labels or tags one by one, because Karpenter refuses some of them: those stay, with the reason. */
export function takePairs(
  ledger: Ledger,
  path: Path,
  allowed: z.ZodType,
  whyNot: string,
): Record<string, string> | undefined {
  const pairs = Object.entries(asMap(ledger.peek(...path))).flatMap(([key, value]) => {
    const text = String(value ?? '');
    if (!allowed.safeParse({ [key]: text }).success) {
      ledger.leave([...path, key], whyNot);
      return [];
    }
    ledger.take(...path, key);
    return [[key, text] as const];
  });
  return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
}
