import type { Config } from '../../config/config';
import type { ControllerPolicy, PolicyScope } from './controller-policies';

const PUBLIC = /^(arn:[^:]+:ssm:[^:]*:[^:]*:parameter)?\/aws\/service\//;

/** The SSM parameters, by name or ARN, that pools take images from and that Karpenter's own policies do not cover. */
export function amiParameters({ headrooms }: Pick<Config, 'headrooms'>): readonly string[] {
  const named = headrooms.flatMap(({ pool }) => pool?.amiSelector ?? []).map(({ ssmParameter }) => ssmParameter);
  return [...new Set(named)].filter((name) => name !== undefined).filter((name) => !PUBLIC.test(name));
}

/** Lets the controller read these parameters; Karpenter's own policies cover only those under `/aws/service/`. */
export function amiParameterPolicy(
  scope: Pick<PolicyScope, 'partition' | 'region' | 'account'>,
  parameters: readonly string[],
): ControllerPolicy {
  const Resource = [...new Set(parameters.map((parameter) => parameterArn(scope, parameter)))];
  return {
    name: 'AmiParameterPolicy',
    statements: [{ Sid: 'AllowReadingAmiParameters', Effect: 'Allow', Resource, Action: 'ssm:GetParameter' }],
  };
}

/** A name may end in `:<version>` or `:<label>`, which is not part of the ARN, and may lack the leading slash. */
function parameterArn(
  { partition, region, account }: Pick<PolicyScope, 'partition' | 'region' | 'account'>,
  parameter: string,
): string {
  if (parameter.startsWith('arn:')) return parameter.split(':').slice(0, 6).join(':');
  const name = parameter.replace(/:.*/s, '').replace(/^\/?/, '/');
  return `arn:${partition}:ssm:${region}:${account}:parameter${name}`;
}
