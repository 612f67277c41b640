import { join } from 'node:path';
import { folderWith, runCli } from '../../cli/run-cli';
import { importText } from './import-text';
import { INFLATE_DEPLOYMENT } from './samples';

jest.setTimeout(60_000);

const BACKUPS = 'schedules:\n  nightly: {schedule: 0 3 * * *, template: {ttl: 240h}}\n';
const SERVICES = 'deployments:\n  - {name: web, replicaCount: 3, image: {repository: nginx}}\n';

describe('files that are no whole objects', () => {
  test.each([
    { name: 'backups by the clock', text: BACKUPS },
    { name: 'services by name', text: 'deployments:\n  web: {replicaCount: 3}\n' },
    { name: 'services in a list', text: SERVICES },
    {
      name: 'a HelmRelease of another chart',
      text: `kind: HelmRelease\nmetadata: {name: shop}\nspec:\n  chart: {spec: {chart: shop}}\n  values: {op: {enabled: true}}\n`,
    },
    {
      name: 'an Application of another chart',
      text: `kind: Application\nmetadata: {name: shop}\nspec: {source: {chart: shop, helm: {valuesObject: {op: {enabled: true}}}}}\n`,
    },
  ])('takes the values of no other chart for headroom: $name', async ({ text }) => {
    for (const source of [undefined, 'overprovisioner']) {
      const { code, err } = await importText(source, text);
      expect(code).toBe(1);
      expect(err).toContain('nothing that');
    }
  });

  test('knows the chart by its name, in whatever chart it is nested', async () => {
    const values = 'deployments: [{name: spare, replicaCount: 2, resources: {requests: {cpu: 1}}}]';
    const release = (chart: string, inside: string) =>
      `kind: HelmRelease\nmetadata: {name: a}\nspec:\n  chart: {spec: {chart: ${chart}}}\n  values: {${inside}}\n`;
    for (const text of [
      release('cluster-overprovisioner', values),
      release('platform', `cluster-overprovisioner: {${values}}`),
    ]) {
      const { pools } = await importText(undefined, text);
      expect(pools).toMatchObject([{ name: 'spare', base: 2 }]);
    }
  });

  test('makes no second headroom of a patch of a Deployment', async () => {
    const patch = 'kind: Deployment\nmetadata: {name: inflate}\nspec: {replicas: 9}\n';
    const { out, pools } = await importText(undefined, `${INFLATE_DEPLOYMENT}---\n${patch}`);
    expect(pools).toHaveLength(1);
    expect(out).toContain('has no containers, as a patch of Kustomize has none; import what kubectl kustomize prints');
  });

  test('lists an empty file beside others', async () => {
    const folder = folderWith({ 'a.yaml': INFLATE_DEPLOYMENT, 'b.yaml': '# later' });
    const { code, out } = await runCli(['import', join(folder, 'a.yaml'), join(folder, 'b.yaml')]);
    expect(code).toBe(0);
    expect(out).toContain('#   b.yaml: is empty, or has only comments\n');
  });

  test('makes no pool block of a patch of a NodePool', async () => {
    const patch = 'apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: a}\nspec: {limits: {cpu: 2000}}\n';
    for (const source of [undefined, 'provisioner']) {
      const { code, err } = await importText(source, patch);
      expect(code).toBe(1);
      expect(err).toContain(
        'has no spec.template.spec, as a patch of Kustomize has none; import what kubectl kustomize',
      );
    }
  });

  test.each([
    {
      name: 'a Kustomization',
      text: 'kind: Kustomization\nresources: [a.yaml]\n',
      says: 'import what kubectl kustomize prints',
    },
    { name: 'values of a chart', text: 'replicaCount: 5\n', says: 'import what helm template prints' },
    { name: 'a comment', text: '# later\n', says: 'input.yaml: is empty, or has only comments' },
    { name: 'nothing', text: '', says: 'input.yaml: is empty, or has only comments' },
    {
      name: 'a ScaledObject without a target',
      text: 'kind: ScaledObject\nmetadata: {name: a}\nspec: {triggers: [{type: cron, metadata: {timezone: UTC, start: 0 6 * * *, end: 0 7 * * *, desiredReplicas: 3}}]}\n',
      says: 'has no spec.scaleTargetRef',
    },
    {
      name: 'a file of Terraform',
      text: 'resource "kubectl_manifest" "pool" {\n  yaml_body = <<-YAML\n    kind: NodePool\n  YAML\n}\n',
      says: 'is a file of Terraform; import the YAML in it',
    },
    {
      name: 'a script',
      text: 'cat <<EOF | kubectl apply -f -\nkind: NodePool\nspec:\n  limits: {}\nEOF\n',
      says: 'is a script; import the YAML in it',
    },
  ])('says what to do with $name', async ({ text, says }) => {
    const { code, err } = await importText(undefined, text);
    expect(code).toBe(1);
    expect(err).toContain(says);
    expect(err).not.toContain('undefined');
  });
});
