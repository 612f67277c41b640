import { z } from 'zod';
import { flag, listOf, oneOf, text } from './fields';

/** The one Karpenter version whose prerequisites Headstart follows. */
export const KARPENTER_VERSION = '1.14.1';

const NAME_HINT = 'write true to create it, false to leave it out, or the name of one that exists';
/** A part that is created, left out, or exists already under a name. */
const Part = z.union([z.boolean(), z.string().min(1)], { error: NAME_HINT });

/** What Karpenter itself needs on the cluster; nothing unless `manage` is true. */
export const KarpenterInput = z.strictObject(
  {
    manage: flag(),
    version: text('write a Karpenter version, such as 1.14.1').optional(),
    namespace: text('write the namespace of the Karpenter controller').optional(),
    serviceAccount: text('write the name of the service account').optional(),
    identity: oneOf(['pod-identity', 'irsa']).optional(),
    oidcIssuer: z
      .string()
      .regex(
        /^(https:\/\/)?[\w.-]+(\/[\w.-]+)*$/,
        "write the cluster's OIDC issuer, such as oidc.eks.ap-northeast-2.amazonaws.com/id/ABC",
      )
      .optional(),
    nodeRole: Part.optional(),
    instanceProfile: Part.optional(),
    controllerRole: Part.optional(),
    queue: Part.optional(),
    nodeAccess: oneOf(['entry', 'aws-auth', 'none']).optional(),
    discovery: z
      .strictObject(
        {
          subnets: z
            .union([z.literal('node-groups'), z.literal('none'), listOf(z.string(), 'write a list of subnet ids')], {
              error: 'write node-groups, none or a list of subnet ids',
            })
            .optional(),
          securityGroups: z
            .union([z.literal('cluster'), z.literal('launch-template'), z.literal('none'), listOf(z.string(), '')], {
              error: 'write cluster, launch-template, none or a list of security group ids',
            })
            .optional(),
        },
        { error: 'write {subnets: node-groups, securityGroups: cluster}' },
      )
      .optional(),
    podIdentityAgent: flag().optional(),
    spotServiceLinkedRole: flag().optional(),
    zonalShift: flag().optional(),
    helm: z
      .strictObject(
        {
          install: flag(),
          nodeGroup: text('write the node group that the controller stays on').optional(),
        },
        { error: 'write {install: true, nodeGroup: default}' },
      )
      .optional(),
  },
  { error: 'write a map such as {manage: true}' },
);
export type KarpenterInput = z.output<typeof KarpenterInput>;
