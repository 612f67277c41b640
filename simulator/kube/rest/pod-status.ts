import { isObject, valueAt } from '../json';
import type { KubeObject } from '../objects';

/** The word that `kubectl get pods` shows. */
export function podStatus(object: KubeObject): string {
  if (object.metadata.deletionTimestamp) return 'Terminating';
  const phase = `${valueAt(object, ['status', 'phase']) ?? 'Unknown'}`;
  return phase === 'Pending' && valueAt(object, ['spec', 'nodeName']) ? 'ContainerCreating' : phase;
}

/** Ready containers of all: `1/1`. */
export function readyCount(object: KubeObject): string {
  const statuses = valueAt(object, ['status', 'containerStatuses']);
  const containers = valueAt(object, ['spec', 'containers']);
  const ready = Array.isArray(statuses) ? statuses.filter(isObject).filter((one) => one.ready === true).length : 0;
  return `${ready}/${Array.isArray(containers) ? containers.length : 0}`;
}
