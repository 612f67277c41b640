import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { entryInputs } from '../../infra/bundling/build-entry';
import { bundleTo } from '../../infra/bundling/bundling';
import type { Config } from '../../shared/core/config/config';

/** Something whose start is measured: a folder with a built entry. */
export interface Variant {
  readonly name: string;
  readonly folder: string;
  /** Bytes of all JavaScript in the bundle. */
  readonly bytes: number;
  /** Bytes that a cold start reads: the entry and what it imports at once. */
  readonly bytesAtStart: number;
}

export const HANDLERS = ['reconcile', 'alarm', 'interruption', 'inflate'] as const;

/** The bundles that are deployed. */
export function deployedVariants(root: string, config: Config): Variant[] {
  return HANDLERS.map((entry) => {
    const folder = join(root, entry);
    bundleTo(folder, `runtime/${entry}`, { config });
    const { outputs } = entryInputs(`runtime/${entry}`);
    const sizes = Object.entries(outputs).filter(([file]) => file.endsWith('.mjs'));
    const first = sizes.find(([, { entryPoint }]) => entryPoint === `lambdas/runtime/${entry}.ts`)?.[0] ?? '';
    const atStart = new Set<string>();
    const visit = (file: string): void => {
      if (atStart.has(file)) return;
      atStart.add(file);
      for (const { path, kind } of outputs[file]?.imports ?? [])
        if (kind === 'import-statement' && outputs[path]) visit(path);
    };
    visit(first);
    const sum = (files: readonly string[]) => files.reduce((total, file) => total + (outputs[file]?.bytes ?? 0), 0);
    return { name: entry, folder, bytes: sum(sizes.map(([file]) => file)), bytesAtStart: sum([...atStart]) };
  });
}

/** What the handlers would be if they were written without care, and the floor below them. */
export function comparedVariants(root: string): Variant[] {
  const sources = {
    'empty handler': 'export const handler = async () => ({});',
    'naive: @kubernetes/client-node': [
      "import { AppsV1Api, KubeConfig } from '@kubernetes/client-node';",
      'export const handler = async () => new KubeConfig().makeApiClient(AppsV1Api).listNamespacedDeployment({ namespace: "headroom" });',
    ].join('\n'),
    'naive: @kubernetes/client-node, client-eks, client-cloudwatch': [
      "import { AppsV1Api, KubeConfig } from '@kubernetes/client-node';",
      "import { DescribeClusterCommand, EKSClient } from '@aws-sdk/client-eks';",
      "import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';",
      'export const eks = new EKSClient({ region: "eu-west-1" }), cloudwatch = new CloudWatchClient({ region: "eu-west-1" });',
      'export const handler = async () => [new KubeConfig().makeApiClient(AppsV1Api), eks.send(new DescribeClusterCommand({ name: "x" })), cloudwatch.send(new DescribeAlarmsCommand({}))];',
    ].join('\n'),
  };
  return Object.entries(sources).map(([name, contents], index) => {
    const folder = join(root, `compared-${index}`);
    mkdirSync(folder, { recursive: true });
    buildSync({
      stdin: { contents, resolveDir: process.cwd() },
      outfile: join(folder, 'index.mjs'),
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node22',
      minify: true,
      mainFields: ['module', 'main'],
      banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
      logLevel: 'silent',
    });
    if (index === 0) writeFileSync(join(folder, 'index.mjs'), contents);
    const bytes = readdirSync(folder).reduce((total, file) => total + statSync(join(folder, file)).size, 0);
    return { name, folder, bytes, bytesAtStart: bytes };
  });
}
