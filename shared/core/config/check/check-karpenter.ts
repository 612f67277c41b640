import { type Located, problemAt, valueAt } from '../yaml/located';
import type { Problem } from '../yaml/problem';
import { asMap, type Values } from '../yaml/untyped';

interface Rule {
  readonly key: readonly string[];
  readonly broken: boolean;
  readonly message: string;
}

/** Rules across the keys of the `karpenter` block. */
export function checkKarpenter(tree: Located): Problem[] {
  const karpenter = asMap(valueAt(tree, ['karpenter']));
  if (karpenter.manage !== true) return [];
  const cluster = asMap(valueAt(tree, ['cluster']));
  return [...identityRules(karpenter), ...nodeRules(karpenter, cluster), ...helmRules(karpenter, cluster)]
    .filter(({ broken }) => broken)
    .map(({ key, message }) => problemAt(tree, ['karpenter', ...key], message));
}

function identityRules({ identity, oidcIssuer, podIdentityAgent, controllerRole, nodeRole }: Values): Rule[] {
  const created = controllerRole === undefined || controllerRole === true;
  return [
    {
      key: ['oidcIssuer'],
      broken: identity === 'irsa' && oidcIssuer === undefined && created,
      message:
        'is missing, and identity irsa needs it; write what this prints: aws eks describe-cluster --name <cluster> --query cluster.identity.oidc.issuer --output text',
    },
    {
      key: ['oidcIssuer'],
      broken: identity !== 'irsa' && oidcIssuer !== undefined,
      message: 'is for identity irsa; write identity: irsa, or leave it out',
    },
    {
      key: ['podIdentityAgent'],
      broken: identity === 'irsa' && podIdentityAgent === true,
      message: 'is for identity pod-identity; leave it out with irsa',
    },
    {
      key: ['nodeRole'],
      broken: nodeRole === false && created,
      message: 'is false, but the controller role must name the role that it passes to nodes; write its name',
    },
  ];
}

function nodeRules({ nodeRole, nodeAccess, instanceProfile }: Values, { access }: Values): Rule[] {
  return [
    {
      key: ['nodeAccess'],
      broken: nodeAccess === 'entry' && access === 'manual',
      message: 'is "entry", but cluster.access is manual, which makes no access entries; write aws-auth or none',
    },
    {
      key: ['nodeAccess'],
      broken: nodeRole === false && (nodeAccess === 'entry' || nodeAccess === 'aws-auth'),
      message: 'has no node role to give access to; write the name of the role in nodeRole, or nodeAccess: none',
    },
    {
      key: ['instanceProfile'],
      broken: nodeRole === false && instanceProfile === true,
      message: 'has no node role to hold; write the name of the role in nodeRole',
    },
    {
      // Another role would be let into the cluster and passed by the controller than the one that nodes have.
      key: ['nodeRole'],
      broken: typeof instanceProfile === 'string' && (nodeRole === undefined || nodeRole === true),
      message: `is not named, and nodes run as the role in the instance profile ${JSON.stringify(instanceProfile)}; write the name of that role`,
    },
  ];
}

function helmRules({ helm, controllerRole }: Values, { access }: Values): Rule[] {
  const { install, kubectlLayerArn } = asMap(helm);
  const key = ['helm', 'install'];
  if (install !== true) return [];
  return [
    {
      key: ['helm', 'kubectlLayerArn'],
      broken: kubectlLayerArn === undefined,
      message:
        'is missing, and the release needs a Lambda layer with kubectl and helm; write its ARN, or install: false and run the command that the deploy prints',
    },
    {
      key,
      broken: access === 'manual',
      message:
        'is true, but with cluster.access manual no function has access to the cluster; write false and run the printed command',
    },
    {
      key,
      broken: controllerRole === false,
      message: 'is true, but the controller would have no role; write true or a name in karpenter.controllerRole',
    },
  ];
}
