import { parseArgs } from 'node:util';
import { build } from './harness/build/build';
import { startCluster } from './harness/cluster';
import { sweepAbandoned, sweepAll } from './harness/sweep';

const USAGE = `usage: cli.ts build                            builds what is missing
       cli.ts up [--core] [--node-delay 50s]   starts a cluster and prints the path of its kubeconfig
       cli.ts down                             ends every cluster of ours but those of suites that still run`;

const COMMANDS: Readonly<Record<string, () => Promise<void>>> = { build: runBuild, up, down };

async function runBuild(): Promise<void> {
  await build((message) => console.error(message));
}

async function up(): Promise<void> {
  await runBuild();
  await sweepAbandoned();
  const cluster = await startCluster({
    karpenter: !values.core,
    detached: true,
    ...(values['node-delay'] !== undefined && { nodeDelay: values['node-delay'] }),
  });
  console.log(cluster.kubeconfigPath);
}

async function down(): Promise<void> {
  for (const folder of await sweepAll()) console.error(`ended ${folder}`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { core: { type: 'boolean', default: false }, 'node-delay': { type: 'string' } },
});
const command = COMMANDS[positionals[0] ?? ''];
if (command === undefined) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  command().catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}
