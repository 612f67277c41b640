import { addStacks } from './add-stacks';
import { UnusableConfigError } from './load-app-config';
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
  // Exit at once: the stacks that were added so far must not be deployed.
  process.exit(1);
}
