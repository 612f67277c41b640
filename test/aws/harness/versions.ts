/** Everything that this suite installs, outside of the checkout. */
export const VERSIONS = {
  moto: '5.2.5',
  cfnLint: '1.58.0',
  /** The runtime interface client that AWS runs Node.js functions with. */
  runtimeClient: '4.0.2',
  /** Of the major version in `infra/bundling/runtime.ts`. */
  node: '24.21.0',
} as const;
