import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../../../shared/core/manifests/cluster-object-manifests';

/** What a deploy applies. It is bundled with the code, so that the caller of the function cannot choose it. */
export interface DeployedObjects {
  readonly objects: readonly Manifest[];
  /** The rights that the deploying role keeps, each binding before its role. */
  readonly rights: readonly Manifest[];
}

const OBJECTS_FILE = 'objects.json';

export function readDeployedObjects(): DeployedObjects {
  const folder = process.env.LAMBDA_TASK_ROOT ?? __dirname;
  return JSON.parse(readFileSync(join(folder, OBJECTS_FILE), 'utf8')) as DeployedObjects;
}
