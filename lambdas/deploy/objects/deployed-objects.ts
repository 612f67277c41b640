import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../../../shared/core/manifests/cluster-objects';

/** What a deploy puts on the cluster: it lies beside the code, so that whoever may invoke the function cannot choose. */
export interface DeployedObjects {
  readonly objects: readonly Manifest[];
  /** What the deploying role itself keeps, each binding before its role. */
  readonly rights: readonly Manifest[];
}

/** The name of the file beside the code. */
export const OBJECTS_FILE = 'objects.json';

export function readDeployedObjects(): DeployedObjects {
  const folder = process.env.LAMBDA_TASK_ROOT ?? __dirname;
  return JSON.parse(readFileSync(join(folder, OBJECTS_FILE), 'utf8')) as DeployedObjects;
}
