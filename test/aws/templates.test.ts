import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addStacks } from '../../infra/add-stacks';
import { newApp } from '../../infra/new-app';
import { runCommand } from '../cluster/harness/process/run-command';
import { tempFolder } from '../fakes/temp-folder';
import { describeAws, installation } from './harness/shared-installation';

const ROOT = join(__dirname, '..', '..');
const NOW = new Date('2026-03-02T03:00:00Z');
// cfn-lint is the judge here.
process.env.CDK_VALIDATION = 'false';

describeAws('cfn-lint', () => {
  const folder = tempFolder();

  test.each([
    { name: 'the minimal config', file: 'headroom.yaml', region: 'ap-northeast-2' },
    { name: 'the full config', file: 'examples/full.yaml', region: 'ap-northeast-2' },
    { name: 'the full config in China', file: 'examples/full.yaml', region: 'cn-north-1' },
    { name: 'the full config in GovCloud', file: 'examples/full.yaml', region: 'us-gov-west-1' },
    { name: 'manual access', file: 'headroom.yaml', region: 'ap-northeast-2', access: 'manual' },
  ])('finds no error in $name', async ({ name, file, region, access = 'entry' }) => {
    const outdir = join(folder, name.replaceAll(' ', '-'));
    const config = join(folder, `${name.replaceAll(' ', '-')}.yaml`);
    writeFileSync(config, inRegion(readFileSync(join(ROOT, file), 'utf8'), region, access));
    // The code of the functions is of no interest here.
    const app = newApp({ outdir, context: { 'aws:cdk:bundling-stacks': [] } });
    addStacks(app, { files: [config], now: NOW, warn: () => {} });
    app.synth();
    const templates = readdirSync(outdir).filter((found) => found.endsWith('.template.json'));
    expect(templates).toHaveLength(file === 'headroom.yaml' ? 1 : 2);
    const args = ['--non-zero-exit-code', 'error', '--regions', region, '--', ...templates];
    await runCommand({ program: installation().cfnLint, args, cwd: outdir });
  });
});

function inRegion(text: string, region: string, access: string): string {
  return text
    .replace(/^ {2}access:.*\n/m, '')
    .replace(/^ {2}region: .*$/m, `  region: ${region}\n  access: ${access}`)
    .replace('arn:aws:lambda:ap-northeast-2:', `arn:${partitionOf(region)}:lambda:${region}:`);
}

function partitionOf(region: string): string {
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
}
