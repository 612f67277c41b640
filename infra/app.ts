import { addStacks } from './add-stacks';
import { UnusableConfigError } from './load-app-config';
import { newApp } from './new-app';

const app = newApp();
const [config, env, wave] = ['config', 'env', 'wave'].map((key) => app.node.tryGetContext(key));
try {
  addStacks(app, {
    files: String(config ?? '')
      .split(',')
      .map((file) => file.trim())
      .filter((file) => file !== ''),
    ...(env !== undefined && env !== '' && { env: String(env) }),
    ...(wave !== undefined && wave !== '' && { wave: Number(wave) }),
  });
  app.synth();
} catch (error) {
  if (!(error instanceof UnusableConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  // Exit at once: the stacks that were added so far must not be deployed.
  process.exit(1);
}
