// Builds and installs what the larger suites need, outside of the checkout, and says what was there already.
import { install } from '../../test/aws/harness/installation';
import { build } from '../../test/cluster/harness/build/build';

type Report = (message: string) => void;

async function prepare(name: string, work: (report: Report) => Promise<unknown>): Promise<void> {
  const begun = Date.now();
  let isWarm = true;
  await work((message) => {
    isWarm = false;
    console.error(message);
  });
  console.log(`${name}: ${isWarm ? 'warm' : `cold, made in ${Math.round((Date.now() - begun) / 1000)} s`}`);
}

Promise.all([prepare('control plane', build), prepare('emulated AWS', install)]).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
