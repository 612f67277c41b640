import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { clusterObjects } from '../../../shared/core/manifests/cluster-object-manifests';
import { shown, synthAccess } from './synth-access';

const outdir = mkdtempSync(join(tmpdir(), 'headstart-manual-'));
afterAll(() => rmSync(outdir, { recursive: true }));

const made = synthAccess({
  cluster: ', access: manual',
  outdir,
});
const output = (end: string) => {
  const [, found] = Object.entries(made.outputs).find(([id]) => id.includes(end)) ?? [];
  return shown(found?.Value);
};

test('nothing of it touches the cluster', () => {
  expect(made.ids('AWS::EKS::AccessEntry')).toEqual([]);
  expect(made.ids('Custom::HeadstartClusterObjects')).toEqual([]);
  expect(made.ids('Custom::HeadstartDeployReconcile')).toEqual([]);
});

test('the endpoint is still read, from EKS alone', () => {
  expect(made.only('Custom::HeadstartClusterEndpoint').Properties).toMatchObject({ access: 'manual' });
});

test('the manifests lie beside the template, complete and in order', () => {
  const file = /cdk\.out\/(\S+)$/.exec(output('Apply'))?.[1] ?? '';
  expect(file).toBe('headstart-manifests-demo-ap-northeast-2.yaml');
  const documents = parseAllDocuments(readFileSync(join(outdir, file), 'utf8'));
  expect(documents.map((document) => document.toJS())).toEqual(JSON.parse(JSON.stringify(clusterObjects('headroom'))));
});

test('the mapping to add to aws-auth is an output that can be pasted', () => {
  const [reconcile, inflate] = ['reconcile', 'inflate'].map((name) =>
    made.ids('AWS::IAM::Role').find((id) => id.startsWith(name)),
  );
  expect(parse(output('MapRoles'))).toEqual([
    { rolearn: `<${reconcile}.Arn>`, username: 'headstart:reconcile', groups: ['headstart:headroom'] },
    { rolearn: `<${inflate}.Arn>`, username: 'headstart:inflate', groups: ['headstart:headroom'] },
  ]);
});
