import type { CurrentHeadroom } from '../../../../shared/core/ports/ports';

/** A headroom as the cluster shows it, with nothing on it but what the test says. */
export function currentWith(more: Partial<CurrentHeadroom> = {}): CurrentHeadroom {
  return {
    name: 'headroom-web',
    uid: '1',
    resourceVersion: '1',
    replicas: 7,
    ready: 0,
    labels: {},
    annotations: {},
    object: {},
    ...more,
  };
}
