import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';
import { entryInputs } from '../../infra/bundling/build-entry';
import { BUNDLE_FILE, bundleTo } from '../../infra/bundling/bundling';
import { NODE_MAJOR } from '../../infra/bundling/runtime';
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
    const atStart = new Set<string>();
    const visit = (file: string): void => {
      if (atStart.has(file)) return;
      atStart.add(file);
      for (const { path, kind } of outputs[file]?.imports ?? [])
        if (kind === 'import-statement' && outputs[path]) visit(path);
    };
    visit(`bundle/${BUNDLE_FILE}`);
    const sum = (files: Iterable<string>) =>
      [...files].reduce((total, file) => total + statSync(join(folder, basename(file))).size, 0);
    return { name: entry, folder, bytes: sum(Object.keys(outputs)), bytesAtStart: sum(atStart) };
  });
}

/** The floors below the handlers, by name. */
export const FLOORS = { empty: 'empty process', https: '`node:https` loaded', bare: 'bare process, same two requests' };

/** Processes that do less than a handler must. */
export function floorVariants(root: string): Variant[] {
  const sources = {
    [FLOORS.empty]: 'export const handler = async () => ({});',
    [FLOORS.https]: "import 'node:https';\nexport const handler = async () => ({});",
    [FLOORS.bare]: readFileSync('bench/functions/bare-reconcile.mjs', 'utf8'),
  };
  return Object.entries(sources).map(([name, contents], index) => {
    const folder = join(root, `floor-${index}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, BUNDLE_FILE), contents);
    return { name, folder, bytes: contents.length, bytesAtStart: contents.length };
  });
}

/** What the handlers would be if they were written without care. */
export function naiveVariants(root: string): Variant[] {
  const kubernetes = [
    "import { AppsV1Api, KubeConfig } from '@kubernetes/client-node';",
    'export const handler = async () => new KubeConfig().makeApiClient(AppsV1Api).listNamespacedDeployment({ namespace: "headroom" });',
  ];
  const aws = [
    "import { DescribeClusterCommand, EKSClient } from '@aws-sdk/client-eks';",
    "import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';",
    'export const eks = new EKSClient({ region: "eu-west-1" }), cloudwatch = new CloudWatchClient({ region: "eu-west-1" });',
    'export const asked = () => [eks.send(new DescribeClusterCommand({ name: "x" })), cloudwatch.send(new DescribeAlarmsCommand({}))];',
  ];
  const sources = {
    'naive: @kubernetes/client-node': kubernetes,
    'naive: @kubernetes/client-node, client-eks, client-cloudwatch': [...kubernetes, ...aws],
  };
  return Object.entries(sources).map(([name, lines], index) => {
    const folder = join(root, `naive-${index}`);
    const outfile = join(folder, BUNDLE_FILE);
    buildSync({
      stdin: { contents: lines.join('\n'), resolveDir: process.cwd() },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: `node${NODE_MAJOR}`,
      minify: true,
      mainFields: ['module', 'main'],
      banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
      logLevel: 'silent',
    });
    const bytes = statSync(outfile).size;
    return { name, folder, bytes, bytesAtStart: bytes };
  });
}
