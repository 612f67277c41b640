import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { addStacks } from '../../infra/add-stacks';
import { newApp } from '../../infra/new-app';
import { tempFolder } from '../fakes/temp-folder';
import { describeAws, installation } from './harness/shared-installation';

const ROOT = join(__dirname, '..', '..');
const NOW = new Date('2026-03-02T03:00:00Z');
process.env.CDK_VALIDATION = 'false';

/** What a managed policy may hold, without white space. */
const MAX_POLICY = 6_144;

/** What CloudFormation does besides the handlers: it calls custom resources and reads the bootstrap's version. */
const BESIDES = ['lambda:InvokeFunction', 'ssm:GetParameters'];

/** What a handler asks for on behalf of properties that no template of ours has. */
const NOT_NEEDED: readonly { readonly why: string; readonly actions: RegExp }[] = [
  { why: 'functions have no file system', actions: /^(elasticfilesystem|s3files):/ },
  { why: 'functions and event source mappings have no key of their own', actions: /^kms:/ },
  { why: 'logs are delivered nowhere else', actions: /^(firehose:|s3:REST)/ },
  { why: 'policies belong to roles', actions: /^iam:((Get|Put|Delete)(User|Group)Policy|Attach(User|Group)Policy)$/ },
  {
    why: 'nothing is signed, scaled or reserved that way',
    actions: /^lambda:(PassCapacityProvider|AssociateRuntimeAlias)$/,
  },
];

const CLUSTER = 'cluster: { name: demo, region: eu-central-1, vpc: { subnetIds: [subnet-0a1b2c3d] } }';
const POOL = `
  service:
    max: 9
    leadTime: 5m
    schedules: [{ name: lunch, timezone: UTC, start: 0 9 * * *, end: 0 17 * * *, desiredReplicas: 3 }]
    alarms: [{ name: high, metric: { namespace: A, name: B }, threshold: "> 1", add: 1 }]
    interruptions: { on: [spot] }
    events: [{ name: sale, pattern: { source: [shop] }, desiredReplicas: 1, hold: 1h }]`;
const KEY = 'arn:aws:kms:eu-central-1:123456789012:key/11111111-2222-3333-4444-555555555555';
const LAYER = 'arn:aws:lambda:eu-central-1:123456789012:layer:kubectl:1';

/** Every option that brings resources of another type. */
const CONFIGS = {
  everything: `${CLUSTER}\nstack: { dashboard: true, kmsKeyArn: "${KEY}" }\nnodePools:${POOL}\n    pool: {}\nkarpenter: { manage: true, instanceProfile: true, spotServiceLinkedRole: true, helm: { install: true, kubectlLayerArn: "${LAYER}" } }\n`,
  full: readFileSync(join(ROOT, 'examples/full.yaml'), 'utf8'),
  minimal: readFileSync(join(ROOT, 'headroom.yaml'), 'utf8'),
  manual: `cluster: { name: demo, region: eu-central-1, access: manual }\nnodePools:${POOL}\n`,
};

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
}

function statementsIn(file: string): readonly Statement[] {
  return JSON.parse(readFileSync(join(ROOT, 'docs/policies', file), 'utf8')).Statement;
}

const actionsIn = (file: string) =>
  [...new Set(statementsIn(file).flatMap(({ Action }) => Action))].sort((a, b) => (a < b ? -1 : 1));

/** The data that cfn-lint brings: the registry's schemas, and the actions that IAM knows. */
function registry() {
  const lib = join(dirname(dirname(installation().python)), 'lib');
  const [python = ''] = readdirSync(lib);
  const data = join(lib, python, 'site-packages', 'cfnlint', 'data');
  const read = (...path: string[]) => JSON.parse(readFileSync(join(data, ...path), 'utf8'));
  const files: Readonly<Record<string, string>> = read('schemas', 'providers', 'us-east-1.json');
  const policies: Readonly<Record<string, { Actions: object }>> = read('AdditionalSpecs', 'Policies.json');
  return {
    knows: (action: string) => {
      const [service = '', name = ''] = action.split(':');
      return name.toLowerCase() in (policies[service]?.Actions ?? {});
    },
    permissions: (type: string): readonly string[] => {
      const schema = read('schemas', 'resources', `${files[type]}.json`);
      const handlers = Object.entries(schema.handlers as Record<string, { permissions?: string[] }>);
      // What the stack has is never listed.
      return handlers.flatMap(([operation, { permissions = [] }]) => (operation === 'list' ? [] : permissions));
    },
  };
}

describeAws('the policies for a narrowed execution role', () => {
  const folder = tempFolder();
  const types = { headroom: new Set<string>(), karpenter: new Set<string>() };

  beforeAll(() => {
    for (const [name, text] of Object.entries(CONFIGS)) {
      const file = join(folder, `${name}.yaml`);
      const outdir = join(folder, name);
      writeFileSync(file, text);
      const app = newApp({ outdir, context: { 'aws:cdk:bundling-stacks': [] } });
      addStacks(app, { files: [file], now: NOW, warn: () => {} });
      app.synth();
      for (const found of readdirSync(outdir).filter((one) => one.endsWith('.template.json'))) {
        const { Resources } = JSON.parse(readFileSync(join(outdir, found), 'utf8'));
        const which = found.includes('-karpenter') ? types.karpenter : types.headroom;
        for (const { Type } of Object.values(Resources as Record<string, { Type: string }>)) which.add(Type);
      }
    }
  });

  const needed = (which: ReadonlySet<string>) => {
    const { permissions } = registry();
    const asked = [...which].filter((type) => type.startsWith('AWS::')).flatMap(permissions);
    const kept = asked.filter((action) => !NOT_NEEDED.some(({ actions }) => actions.test(action)));
    return [...new Set([...kept, ...BESIDES])].sort((a, b) => (a < b ? -1 : 1));
  };

  test('headroom.json allows what the handlers of every resource type of the headroom stack need', () => {
    expect(types.headroom.size).toBeGreaterThan(20);
    expect(actionsIn('headroom.json')).toEqual(needed(types.headroom));
  });

  test('karpenter.json adds what those of the Karpenter stack need', () => {
    expect(types.karpenter).toContain('AWS::IAM::ServiceLinkedRole');
    const beside = new Set(actionsIn('headroom.json'));
    const own = needed(types.karpenter).filter((action) => !beside.has(action) || action === 'iam:PassRole');
    const scoped = actionsIn('karpenter.json').filter((action) => !beside.has(action) || action === 'iam:PassRole');
    expect(scoped).toEqual(own);
  });

  test.each(['headroom.json', 'karpenter.json'])(
    '%s fits into a managed policy, and IAM knows every action',
    (file) => {
      const text = JSON.stringify(JSON.parse(readFileSync(join(ROOT, 'docs/policies', file), 'utf8')));
      expect(text.length).toBeLessThanOrEqual(MAX_POLICY);
      const { knows } = registry();
      expect(actionsIn(file).filter((action) => !knows(action))).toEqual([]);
    },
  );

  test('nothing that makes or passes a role is allowed on everything', () => {
    const onEverything = ['headroom.json', 'karpenter.json']
      .flatMap(statementsIn)
      .filter((one) => [one.Resource].flat().includes('*') && !('Condition' in one));
    const iam = onEverything.flatMap(({ Action }) => Action).filter((action) => action.startsWith('iam:'));
    expect(iam).toEqual([]);
  });
});
