import { readFileSync } from 'node:fs';
import { AwsSolutionsChecks } from 'cdk-nag';
import { loadConfig } from '../../../shared/core/config/read/load';
import { configOf } from '../../shared/core/karpenter/config-of';
import { synthConfig } from './synth-karpenter';

jest.setTimeout(120_000);
// The rules of CloudFormation are checked for whole stacks.
process.env.CDK_VALIDATION = 'false';

describe('cdk-nag finds nothing that is not explained', () => {
  const full = (...overlays: string[]) => {
    const files = ['full.yaml', ...overlays].map((file) => ({ file, text: readFileSync(`examples/${file}`, 'utf8') }));
    const loaded = loadConfig(files);
    if (!loaded.ok) throw new Error('the example has problems');
    return loaded.config;
  };

  test.each([
    { name: 'the smallest block', config: configOf({ karpenter: { manage: true } }) },
    { name: 'the full example', config: full() },
    { name: 'its staging overlay', config: full('full.staging.yaml') },
    { name: 'its dev overlay', config: full('full.dev.yaml') },
  ])('in $name', ({ config }) => {
    const { app } = synthConfig(config);
    const { violations } = new AwsSolutionsChecks(app).validateScope(app);
    expect(violations.map(({ ruleName, violatingResources }) => [ruleName, violatingResources])).toEqual([]);
  });
});
