import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { HeadstartStack } from '../../../infra/headstart-stack';
import { newApp } from '../../../infra/new-app';
import { clusterObjects } from '../../../shared/core/manifests/cluster-object-manifests';
import { tempFolder } from '../../fakes/temp-folder';
import { configOf, NOW, readable, synthesized } from '../synthesized';

const outdir = tempFolder();
const config = configOf('{cluster: {name: demo, region: eu-west-1, access: manual}, nodePools: {x: {max: 1}}}');

test('the manifests lie beside the template, complete and in order', () => {
  const app = newApp({ outdir, context: { 'aws:cdk:bundling-stacks': [] } });
  new HeadstartStack(app, 'Stack', { config, now: NOW });
  app.synth();
  const documents = parseAllDocuments(readFileSync(join(outdir, 'headstart-manifests-demo-eu-west-1.yaml'), 'utf8'));
  expect(documents.map((document) => document.toJS())).toEqual(JSON.parse(JSON.stringify(clusterObjects('headroom'))));
});

test('the mapping to add to aws-auth is an output that can be pasted', () => {
  const text = readable(synthesized(config).outputs.AccessManualMapRoles?.Value);
  expect(parse(String(text))).toEqual(
    ['Reconcile', 'Inflate'].map((name) => ({
      rolearn: `<${name}Role.Arn>`,
      username: `headstart:${name.toLowerCase()}`,
      groups: ['headstart:headroom'],
    })),
  );
});
