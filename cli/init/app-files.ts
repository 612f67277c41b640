import { context } from '../../cdk.json';

/** A CDK app that deploys one config, by file name. It is JavaScript, so that it needs nothing else to run. */
export function appFiles(config: string): readonly (readonly [name: string, text: string])[] {
  // The feature flags that Headstart is tested with; which config it is, the app says itself.
  const { config: _, ...flags } = context;
  const app = `// @ts-check
import { App } from 'aws-cdk-lib';
import { addStacks } from 'headstart';

const app = new App();
addStacks(app, { files: [${JSON.stringify(config)}] });
`;
  return [
    ['app.mjs', app],
    ['cdk.json', `${JSON.stringify({ app: 'node app.mjs', context: flags }, null, 2)}\n`],
  ];
}
