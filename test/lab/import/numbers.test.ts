import { importText } from './import-text';
import { DELIVERYHERO, INFLATE, INFLATE_DEPLOYMENT, PROVISIONER } from './samples';

jest.setTimeout(60_000);

const N = `\${COUNT}`;
const inflate = (replicas: string) =>
  INFLATE_DEPLOYMENT.replace('spec:\n  template', `spec:\n  replicas: ${replicas}\n  template`);

/** What a template fills in later is neither a number nor nothing. */
describe('numbers of imported files', () => {
  test.each([
    { source: 'overprovisioner', text: DELIVERYHERO.replace('replicaCount: 3', 'replicaCount: "3"'), is: { base: 3 } },
    { source: 'pause', text: inflate('"4"'), is: { base: 4 } },
    {
      source: 'provisioner',
      text: PROVISIONER.replace(/ttlSecondsUntilExpired: \d+/, 'ttlSecondsUntilExpired: "600"'),
      is: { pool: { expireAfter: '600s' } },
    },
  ])('reads one in quotes: $source', async ({ source, text, is }) => {
    const { pools } = await importText(source, text);
    expect(pools).toMatchObject([is]);
  });

  test.each([
    {
      source: 'overprovisioner',
      text: DELIVERYHERO.replace('replicaCount: 3', `replicaCount: ${N}`),
      left: `deployments[0].replicaCount "${N}": is not a whole number`,
      wrong: 'no replicaCount: the Kubernetes default',
    },
    {
      source: 'pause',
      text: inflate(N),
      left: `spec.replicas "${N}": is not a whole number`,
      wrong: 'no replicas, so 1',
    },
    {
      source: 'keda',
      text: INFLATE.replace(/minReplicaCount: \d+/, `minReplicaCount: ${N}`),
      left: `spec.minReplicaCount "${N}": is not a whole number`,
      wrong: 'base:',
    },
    {
      source: 'provisioner',
      text: PROVISIONER.replace(/ttlSecondsUntilExpired: \d+/, `ttlSecondsUntilExpired: ${N}`),
      left: `spec.ttlSecondsUntilExpired "${N}": is not a whole number`,
      wrong: 'undefined',
    },
    {
      source: 'provisioner',
      text: PROVISIONER.replace(/ttlSecondsAfterEmpty: \d+/, `ttlSecondsAfterEmpty: ${N}`),
      left: `spec.ttlSecondsAfterEmpty "${N}": is not a whole number`,
      wrong: 'neither ttlSecondsAfterEmpty nor consolidation was set',
    },
  ])('lists a placeholder: $left', async ({ source, text, left, wrong }) => {
    expect(text).toContain(N);
    const { code, out } = await importText(source, text);
    expect(code).toBe(0);
    expect(out).toContain(left);
    expect(out).not.toContain(wrong);
  });
});
