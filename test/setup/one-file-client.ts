import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { shakenClient } from '../../scripts/package/shaken-client';
import KUBE_CONFIG_FILE from './kube-config-file';

/** Loading 942 files takes a suite longer than its tests do, and of the Kubernetes client one class is used. */
export default async function bundleClient(): Promise<void> {
  if (existsSync(KUBE_CONFIG_FILE)) return;
  const part = `${KUBE_CONFIG_FILE}.${process.pid}`;
  await build({
    absWorkingDir: join(__dirname, '../..'),
    entryPoints: ['shared/adapters/kube/kube-config.ts'],
    outfile: part,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    plugins: [shakenClient],
    logLevel: 'warning',
  });
  // In one step: jest may run twice at once.
  renameSync(part, KUBE_CONFIG_FILE);
}
