import { addStacks } from './add-stacks';
import { UnusableConfigError } from './load-config';
import { newApp } from './new-app';

const app = newApp();
const [config, env] = [app.node.tryGetContext('config'), app.node.tryGetContext('env')];
try {
  addStacks(app, {
    files: String(config ?? '')
      .split(',')
      .map((file) => file.trim())
      .filter((file) => file !== ''),
    ...(env !== undefined && env !== '' && { env: String(env) }),
  });
  app.synth();
} catch (error) {
  if (!(error instanceof UnusableConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  // At once: what was added so far is not to be deployed.
  process.exit(1);
}
