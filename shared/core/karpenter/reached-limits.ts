import { parseQuantity } from '../config/schema/quantity';

type Amounts = Readonly<Record<string, string>>;

export interface ReachedLimit {
  readonly resource: string;
  readonly used: string;
  readonly limit: string;
}

/** The limits of a NodePool that leave no room for one more replica of this size; all of them if Karpenter refused one. */
export function reachedLimits(
  { limits, used }: { readonly limits: Amounts; readonly used: Amounts },
  size: Amounts,
  refused = false,
) {
  return Object.entries(limits).flatMap(([resource, limit]): ReachedLimit[] => {
    const held = used[resource] ?? '0';
    const [most, taken] = [parseQuantity(limit), parseQuantity(held)];
    const each = resource === 'nodes' ? 1 : (parseQuantity(size[resource] ?? '0') ?? 0);
    if (most === undefined || taken === undefined || (!refused && taken + each <= most)) return [];
    return [{ resource, used: held, limit }];
  });
}
