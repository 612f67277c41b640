import { App, type AppProps } from 'aws-cdk-lib';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';

/** An app that behaves as a new one does: every behaviour that this CDK release recommends is on. */
export function newApp({ context = {}, ...props }: AppProps = {}): App {
  return new App({ ...props, context: { ...CURRENTLY_RECOMMENDED_FLAGS, ...context } });
}
