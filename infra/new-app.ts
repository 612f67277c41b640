import { App, type AppProps } from 'aws-cdk-lib';
import { context as pinned } from '../cdk.json';

/** An app with the feature flags of `cdk.json`, so that a newer CDK alone changes no template. */
export function newApp({ context = {}, ...props }: AppProps = {}): App {
  const { config: _, ...flags } = pinned;
  return new App({ ...props, context: { ...flags, ...context } });
}
