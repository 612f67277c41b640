import type { AwsCredentials } from './presign';

/** Lambda puts the role's credentials into the environment before the process starts. */
export function credentialsFrom(environment: NodeJS.ProcessEnv): AwsCredentials {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
    throw new Error('no AWS credentials in the environment: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are required');
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  };
}

/**
 * Replaces @aws-sdk/credential-provider-node in the bundles: the chain through SSO, profiles and metadata services
 * would only make every function larger.
 */
export function defaultProvider() {
  return async () => credentialsFrom(process.env);
}
