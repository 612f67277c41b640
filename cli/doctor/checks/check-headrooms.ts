import { headroomName, MANAGED_BY, MANAGED_BY_LABEL } from '../../../shared/core/basics/names';
import { causeText, whyMissing } from '../../../shared/core/karpenter/why-missing';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import { readRecord } from '../../../shared/core/record/record-codec';
import { count } from '../../../shared/drawing/amounts';
import type { HeadroomFacts } from '../facts/loose-objects';
import type { KubeFacts } from '../facts/read-cluster-facts';
import { type Context, error, type Findings, warning } from './finding';

/** Field managers of GitOps tools, which reset objects to what is in their repository. */
const GITOPS = /argocd|argo-cd|flux|kustomize-controller|helm-controller|fleet/i;

/** Each headroom Deployment must exist, belong to Headstart alone, and have a readable record and all its pods. */
export function* checkHeadrooms({ headrooms, capacity }: KubeFacts, context: Context): Findings {
  const { config, now, commands } = context;
  for (const { name } of headrooms.ok ? config.headrooms : []) {
    const current = headrooms.ok && headrooms.value.find((one) => one.name === headroomName(name));
    const evidence = `there is no Deployment ${headroomName(name)}`;
    if (current) yield* checkHeadroom(current, name, context);
    else yield error(`headroom of ${name}`, 'does not exist', evidence, `run ${commands.deploy()}`);
  }
  for (const one of capacity) {
    const { headroom, nodePool } = one;
    const pool = config.headrooms.find(({ name }) => name === headroom);
    const waiting = one.pods.filter(({ ready }) => !ready).length;
    const why = waiting === 0 ? [] : whyMissing(one, pool, now).map(causeText);
    const claims = commands.kubectl('get', 'nodeclaims', '-l', `karpenter.sh/nodepool=${nodePool}`);
    if (why.length > 0)
      yield warning(
        `headroom of ${headroom}`,
        `has ${count(waiting, 'pause pod')} not running`,
        why.join('; '),
        `run ${claims}, and ${commands.headstart('status', headroom, '--watch')}`,
      );
  }
}

function* checkHeadroom(current: HeadroomFacts, headroom: string, { config, commands }: Context): Findings {
  const about = `Deployment ${current.name}`;
  const kubectl = (verb: string, ...words: readonly string[]) =>
    `run ${commands.kubectl('-n', config.cluster.namespace, verb, 'deployment', current.name, ...words)}`;
  if (current.labels[MANAGED_BY_LABEL] !== MANAGED_BY)
    yield error(
      about,
      'does not carry the Headstart label, so Headstart does not change it',
      `labels ${JSON.stringify(current.labels)}`,
      `${kubectl('delete')}; Headstart creates its own`,
    );
  const gitops = current.replicasOwners.filter((manager) => GITOPS.test(manager));
  if (gitops.length > 0)
    yield error(
      about,
      'is also managed by a GitOps tool, which resets its size',
      `spec.replicas is owned by ${gitops.join(', ')}`,
      `remove ${current.name} from the repository, or make the tool ignore its /spec/replicas`,
    );
  const queue = Object.keys(current.labels).find((label) => label.startsWith('kueue.x-k8s.io/'));
  if (queue !== undefined)
    yield error(
      about,
      'has a label of Kueue, which holds its pods back',
      `label ${queue}`,
      kubectl('label', `${queue}-`),
    );
  const { quarantined } = readRecord(current.annotations[ANNOTATIONS.record]);
  const broken = quarantined ?? current.annotations[ANNOTATIONS.quarantined];
  const clear = `run ${commands.headstart('release', headroom)} to clear it`;
  if (broken !== undefined)
    yield warning(about, 'has a record that cannot be read, so it does not shrink', broken, clear);
}
