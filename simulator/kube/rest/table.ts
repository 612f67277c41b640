import type { JsonObject } from '../json';
import type { Kind } from '../kinds';
import type { KubeObject } from '../objects';
import { cellOf, columnsOf } from './table-columns';

export interface TableRequest {
  readonly kind: Kind;
  readonly objects: readonly KubeObject[];
  readonly now: number;
  readonly metadata: JsonObject;
  /** What each row contains besides its cells; kubectl requests the metadata or the whole object. */
  readonly include: 'None' | 'Metadata' | 'Object';
}

/** A response in the Table format that `kubectl get` requests. */
export function tableOf({ kind, objects, now, metadata, include }: TableRequest): JsonObject {
  const columns = columnsOf(kind);
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: columns.map(({ name, type = 'string', priority = 0 }) => ({
      name,
      type,
      format: name === 'Name' ? 'name' : '',
      description: name,
      priority,
    })),
    rows: objects.map((object) => ({
      cells: columns.map((column) => cellOf(kind, column, object, now)),
      ...(include !== 'None' && { object: include === 'Object' ? object : partial(object) }),
    })),
  };
}

function partial({ metadata }: KubeObject): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
}
