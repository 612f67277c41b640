// npm run bench -- NAME ARGUMENTS; without a name the functions. The first ones run on the Node.js version that the functions
// are deployed on, the others on this one.
import { spawnSync } from 'node:child_process';
import { deployedNode } from '../test/aws/harness/deployed-node';

const DEPLOYED: Readonly<Record<string, string>> = {
  functions: 'functions/bench.mts',
  lists: 'functions/lists.mts',
  takes: 'functions/takes.mts',
  cluster: 'cluster/cluster.mts',
  floor: 'cluster/floors.mts',
  balanced: 'cluster/balanced.mts',
  keda: 'keda/keda.mts',
  burst: 'storm/burst.mts',
  storm: 'storm/storm.mts',
};
const HERE: Readonly<Record<string, string>> = {
  many: 'clusters/many.mts',
  suggest: 'learning/suggest.mts',
  history: 'learning/long-history.mts',
  report: 'learning/report-growth.mts',
  'lead-times': 'learning/lead-times.mts',
  retire: 'learning/retire.mts',
  console: 'console/console.mts',
};

const [name = 'functions', ...words] = process.argv.slice(2);
const program = DEPLOYED[name] ?? HERE[name];
if (program === undefined)
  throw new Error(`there is no benchmark ${name}; write one of ${Object.keys({ ...DEPLOYED, ...HERE }).join(', ')}`);
const node = name in DEPLOYED ? await deployedNode((message) => console.error(message)) : process.execPath;
const { status } = spawnSync(node, ['--import', 'tsx', `bench/${program}`, ...words], { stdio: 'inherit' });
process.exitCode = status ?? 1;
