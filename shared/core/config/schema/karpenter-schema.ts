import * as z from 'zod';
import { IAM_ROLE } from '../../basics/iam-role';
import { SecurityGroupId, SubnetId } from './node-class-schema';
import { flag, listOf, oneOf, text } from './schema-fields';

/** The one Karpenter version whose prerequisites Headstart follows. */
export const KARPENTER_VERSION = '1.14.1';

const DNS_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** A part that is created, left out, or exists already under a name. */
function part(thing: string, name: RegExp, example: string) {
  const hint = `write true to create the ${thing}, false to leave it out, or the name of one that exists, such as ${example}${name === IAM_ROLE ? ', or its ARN' : ''}`;
  return z.union([z.boolean(), z.string().regex(name, hint)], { error: hint });
}

const VERSION_HINT = `write a Karpenter version such as ${KARPENTER_VERSION}, without v`;
const NAMESPACE_HINT = 'write the namespace of the Karpenter controller, such as kube-system';
const ISSUER_HINT = "write the cluster's OIDC issuer, such as oidc.eks.ap-northeast-2.amazonaws.com/id/ABC";
const REPOSITORY_HINT = 'write where the charts are, such as oci://public.ecr.aws/karpenter';
const LAYER_HINT =
  'write the ARN of a Lambda layer version with kubectl and helm, such as arn:aws:lambda:ap-northeast-2:123456789012:layer:kubectl:1';

const DiscoveryInput = z.strictObject(
  {
    subnets: z
      .union([z.literal('node-groups'), z.literal('none'), listOf(SubnetId, 'write a list of subnet ids')], {
        error: 'write node-groups, none or a list of subnet ids such as [subnet-0a1b2c3d]',
      })
      .optional(),
    securityGroups: z
      .union(
        [
          z.literal('cluster'),
          z.literal('launch-template'),
          z.literal('none'),
          listOf(SecurityGroupId, 'write a list of security group ids'),
        ],
        {
          error: 'write cluster, launch-template, none or a list of security group ids such as [sg-0a1b2c3d]',
        },
      )
      .optional(),
  },
  { error: 'write {subnets: node-groups, securityGroups: cluster}' },
);

const VALUES_HINT = "write values of Karpenter's chart as a map, such as {settings: {isolatedVPC: true}}";
// The npm package's types are written out, and zod's recursive one cannot be.
const JSON_VALUE: z.ZodType<unknown> = z.json({ error: VALUES_HINT });
const HelmInput = z.strictObject(
  {
    install: flag(),
    adopt: flag().optional(),
    values: z.record(z.string(), JSON_VALUE, { error: VALUES_HINT }).optional(),
    nodeGroup: text('write the name of the managed node group that the controller stays on').optional(),
    repository: text(REPOSITORY_HINT, /^oci:\/\/[^\s/]+(\/[^\s/]+)*$/).optional(),
    kubectlLayerArn: text(LAYER_HINT, /^arn:[\w-]+:lambda:[\w-]+:\d{12}:layer:[\w-]+:\d+$/).optional(),
  },
  { error: 'write {install: true, nodeGroup: default, kubectlLayerArn: ...}' },
);

/** What Karpenter itself needs on the cluster; nothing unless `manage` is true. */
export const KarpenterInput = z.strictObject(
  {
    manage: flag(),
    terminationProtection: flag().optional(),
    version: text(VERSION_HINT, /^\d+\.\d+\.\d+$/).optional(),
    namespace: text(NAMESPACE_HINT, DNS_LABEL).max(63, NAMESPACE_HINT).optional(),
    serviceAccount: text('write the name of the service account, such as karpenter', DNS_LABEL).optional(),
    identity: oneOf(['pod-identity', 'irsa']).optional(),
    oidcIssuer: text(ISSUER_HINT, /^(https:\/\/)?[\w.-]+(\/[\w.-]+)*$/).optional(),
    podIdentityAgent: flag().optional(),
    nodeRole: part('node role', IAM_ROLE, 'KarpenterNodeRole-my-cluster').optional(),
    instanceProfile: part('instance profile', /^[\w+=,.@-]{1,128}$/, 'KarpenterNodes-my-cluster').optional(),
    nodeAccess: oneOf(['entry', 'aws-auth', 'none']).optional(),
    controllerRole: part('controller role', IAM_ROLE, 'KarpenterControllerRole-my-cluster').optional(),
    queue: part('interruption queue', /^[\w-]{1,80}$/, 'my-cluster').optional(),
    discovery: DiscoveryInput.optional(),
    spotServiceLinkedRole: flag().optional(),
    zonalShift: flag().optional(),
    helm: HelmInput.optional(),
  },
  { error: 'write a map such as {manage: true}' },
);
export type KarpenterInput = z.output<typeof KarpenterInput>;
