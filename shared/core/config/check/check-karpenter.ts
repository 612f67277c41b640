import { fault, type Rules } from '../schema/rules';
import type { WrittenConfig } from './written';

/** Rules across the keys of the `karpenter` block. */
export const karpenterRules: Rules<WrittenConfig> = (config) =>
  config.karpenter?.manage === true ? [...identityRules(config), ...nodeRules(config), ...helmRules(config)] : [];

const identityRules: Rules<WrittenConfig> = ({ karpenter = {} }) => {
  const { identity, oidcIssuer, podIdentityAgent, controllerRole, nodeRole } = karpenter;
  const irsa = identity === 'irsa';
  const created = controllerRole === undefined || controllerRole === true;
  return [
    irsa &&
      oidcIssuer === undefined &&
      created &&
      fault(
        'oidcIssuer',
        'is missing, and identity irsa needs it; write what this prints: aws eks describe-cluster --name <cluster> --query cluster.identity.oidc.issuer --output text',
      ),
    !irsa &&
      oidcIssuer !== undefined &&
      fault('oidcIssuer', 'is for identity irsa; write identity: irsa, or leave it out'),
    irsa &&
      podIdentityAgent === true &&
      fault('podIdentityAgent', 'is for identity pod-identity; leave it out with irsa'),
    nodeRole === false &&
      created &&
      fault('nodeRole', 'is false, but the controller role must name the role that it passes to nodes; write its name'),
  ];
};

const nodeRules: Rules<WrittenConfig> = ({ cluster, karpenter = {} }) => {
  const { nodeRole, nodeAccess, instanceProfile } = karpenter;
  return [
    nodeAccess === 'entry' &&
      cluster?.access === 'manual' &&
      fault(
        'nodeAccess',
        'is "entry", but cluster.access is manual, which makes no access entries; write aws-auth or none',
      ),
    nodeRole === false &&
      (nodeAccess === 'entry' || nodeAccess === 'aws-auth') &&
      fault(
        'nodeAccess',
        'has no node role to give access to; write the name of the role in nodeRole, or nodeAccess: none',
      ),
    nodeRole === false &&
      instanceProfile === true &&
      fault('instanceProfile', 'has no node role to hold; write the name of the role in nodeRole'),
    // Another role would be let into the cluster and passed by the controller than the one that nodes have.
    typeof instanceProfile === 'string' &&
      (nodeRole === undefined || nodeRole === true) &&
      fault(
        'nodeRole',
        `is not named, and nodes run as the role in the instance profile ${JSON.stringify(instanceProfile)}; write the name of that role`,
      ),
  ];
};

const helmRules: Rules<WrittenConfig> = ({ cluster, karpenter: { helm, controllerRole } = {} }) => {
  if (helm?.install !== true) return [];
  return [
    helm.kubectlLayerArn === undefined &&
      fault(
        ['helm', 'kubectlLayerArn'],
        'is missing, and the release needs a Lambda layer with kubectl and helm; write its ARN, or install: false and run the command that the deploy prints',
      ),
    cluster?.access === 'manual' &&
      fault(
        ['helm', 'install'],
        'is true, but with cluster.access manual no function has access to the cluster; write false and run the printed command',
      ),
    controllerRole === false &&
      fault(
        ['helm', 'install'],
        'is true, but the controller would have no role; write true or a name in karpenter.controllerRole',
      ),
  ];
};
