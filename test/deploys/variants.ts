import { hashText } from '../../shared/core/basics/names';
import type { Config } from '../../shared/core/config/config';
import { nodePoolManifests } from '../../shared/core/karpenter/node-pools';
import { clusterObjects, type Manifest } from '../../shared/core/manifests/cluster-object-manifests';
import { deployRights } from '../../shared/core/manifests/deploy-rights';
import { configOf, synthesized, synthesizedKarpenter } from '../infra/synthesized';
import type { Template } from './template';

/** What lies beside the code of a function, by the hash that its template names. */
const CODE = new Map<string, unknown>();

export function codeAt(hash: unknown): unknown {
  return CODE.get(String(hash));
}

/** `again` and the like are the first config with another value of `-c again=`. */
const NAMES = ['first', 'edited', 'objects', 'again', 'again2'] as const;
export type VariantName = (typeof NAMES)[number];

const LAYER = 'arn:aws:lambda:ap-northeast-2:123456789012:layer:kubectl:1';
const KARPENTER = `karpenter: {manage: true, helm: {install: true, nodeGroup: platform, kubectlLayerArn: '${LAYER}'}}`;

export type StackName = 'headroom' | 'karpenter';

/** The deploys that a person makes one after the other, of the headroom stack and of Karpenter's. */
export function variants(): Readonly<Record<StackName, Readonly<Record<VariantName, Template>>>> {
  const configs: Record<VariantName, Config> = {
    first: deployConfig('headroom'),
    edited: deployConfig('headroom', 5),
    objects: deployConfig('warm', 4, 'c7i'),
    again: deployConfig('headroom'),
    again2: deployConfig('headroom'),
  };
  const each = (make: (config: Config, context: object) => Template) =>
    Object.fromEntries(
      NAMES.map((name) => [name, make(configs[name], name.startsWith('again') ? { again: name } : {})]),
    ) as Record<VariantName, Template>;
  return {
    headroom: each((made, context) => {
      const { namespace } = made.cluster;
      const deployed = deployedOf('deploy', namespace, clusterObjects(namespace));
      const codeOf = (id: string) => (id.includes('ObjectsChange') ? deployed : namespace);
      return withCode(synthesized(made, context).resources, codeOf);
    }),
    karpenter: each((made, context) => {
      const deployed = deployedOf('node-pools', made.cluster.namespace, nodePoolManifests(made));
      return withCode(synthesizedKarpenter(made, context).resources, () => deployed);
    }),
  };
}

/** Nothing is bundled here; the hash of what would be stands for it. */
function withCode(template: Template, codeOf: (id: string) => unknown): Template {
  const entries = Object.entries(template).map(([id, resource]) => {
    if (resource.Type !== 'AWS::Lambda::Function') return [id, resource] as const;
    const code = codeOf(id);
    const hash = hashText(JSON.stringify(code));
    CODE.set(hash, code);
    return [id, { ...resource, Properties: { ...resource.Properties, Code: hash } }] as const;
  });
  return Object.fromEntries(entries);
}

/** The config of a deploy. */
export function deployConfig(namespace: string, max = 4, family = 'm7i'): Config {
  return configOf(
    `cluster: {name: demo, region: ap-northeast-2, namespace: ${namespace}}\n${KARPENTER}\nnodePools: {default: {max: ${max}, pool: {family: [${family}]}}}\n`,
  );
}

function deployedOf(what: string, namespace: string, objects: readonly Manifest[]) {
  return { objects, rights: deployRights({ what, namespace, objects }) };
}
