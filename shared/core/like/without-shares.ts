import type { HeadroomRecord, ShareOf } from '../record/record';

/** Without what was counted of another workload: every share that is open counts again. */
export function withoutShares({ shares: _shares, override, alarms, ...rest }: HeadroomRecord): HeadroomRecord {
  const bare = <T extends { readonly of?: ShareOf }>({ of: _of, ...one }: T) => one;
  return {
    ...rest,
    ...(override && { override: bare(override) }),
    alarms: Object.fromEntries(Object.entries(alarms).map(([name, alarm]) => [name, bare(alarm)])),
  };
}
