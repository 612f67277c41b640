import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { HeadstartStack } from '../../infra/headstart-stack';
import { KarpenterStack, needsKarpenterStack } from '../../infra/karpenter-stack';
import { newApp } from '../../infra/new-app';
import type { Config } from '../../shared/core/config/config';
import { configIn } from '../fakes/loaded-config';
import { tempFolder } from '../fakes/temp-folder';
import { DEMO } from './demo-config';
import { configOf, NOW } from './synthesized';

const outdir = tempFolder();

const example = (env?: string) => configIn('examples/full.yaml', env);
const CONFIGS: Readonly<Record<string, Config>> = {
  minimal: configOf(readFileSync('headroom.yaml', 'utf8')),
  smallest: configOf('{cluster: {name: demo, region: eu-west-1}, karpenter: {manage: true}, nodePools: {a: {max: 1}}}'),
  full: example(),
  manualAccess: configOf(DEMO.replace('region: eu-central-1', 'region: cn-north-1, access: manual')),
  private: configOf(`
cluster: { name: demo, region: eu-central-1, vpc: { subnetIds: [subnet-0a1b2c3d, subnet-0a1b2c3e] } }
nodePools: { default: { max: 4 } }
karpenter:
  manage: true
  identity: irsa
  oidcIssuer: oidc.example/id/1
  instanceProfile: true
  nodeAccess: aws-auth
  spotServiceLinkedRole: true
  helm: { install: true, kubectlLayerArn: 'arn:aws:lambda:eu-central-1:123456789012:layer:kubectl:1' }
`),
};

/** Of these only the Karpenter stack. CDK's own grants on the key of their headroom stack have wildcards in the actions. */
const OVERLAYS: Readonly<Record<string, Config>> = { staging: example('staging'), dev: example('dev') };

/** One app for all: the rules are read once. */
function synthAll() {
  const app = newApp({ outdir, context: { 'aws:cdk:bundling-stacks': [] } });
  for (const [name, config] of Object.entries({ ...CONFIGS, ...OVERLAYS })) {
    if (name in CONFIGS) new HeadstartStack(app, name, { config, now: NOW });
    if (needsKarpenterStack(config)) new KarpenterStack(app, `${name}-karpenter`, { config });
  }
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const assembly = app.synth();
  return assembly.stacks.map((stack) => ({ name: stack.id, template: stack.template }));
}

test('cdk-nag and the rules of CloudFormation find nothing, and no template goes round in circles', () => {
  const stacks = synthAll();
  const { pluginReports } = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8'));
  expect(pluginReports).toEqual([]);

  expect(stacks.map(({ name }) => name).sort()).toEqual(
    [
      ...Object.keys(CONFIGS),
      ...['smallest', 'full', 'staging', 'dev', 'private'].map((name) => `${name}-karpenter`),
    ].sort(),
  );
  for (const { template } of stacks) {
    expect(circleIn(template.Resources)).toBeUndefined();
    expect(Object.keys(template.Resources).length).toBeLessThan(500);
  }
});

/** CloudFormation would find it only at deploy. */
function circleIn(resources: Readonly<Record<string, unknown>>): string | undefined {
  const seen = new Map<string, 'open' | 'done'>();
  const visit = (id: string, path: readonly string[]): string | undefined => {
    if (seen.get(id) === 'done') return undefined;
    if (seen.get(id) === 'open') return [...path, id].join(' > ');
    seen.set(id, 'open');
    for (const needed of neededBy(resources[id]).filter((other) => other in resources)) {
      const circle = visit(needed, [...path, id]);
      if (circle !== undefined) return circle;
    }
    seen.set(id, 'done');
    return undefined;
  };
  return Object.keys(resources)
    .map((id) => visit(id, []))
    .find((circle) => circle !== undefined);
}

function neededBy(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(neededBy);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'Ref') return [String(inner)];
    if (key === 'Fn::GetAtt') return [String([inner].flat()[0])];
    if (key === 'DependsOn') return [inner].flat().map(String);
    return neededBy(inner);
  });
}
