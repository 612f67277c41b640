import { App } from 'aws-cdk-lib';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';

/** An app that behaves as a new one does: every behaviour that this CDK release recommends is on. */
export function newApp(context: Readonly<Record<string, unknown>> = {}): App {
  return new App({ context: { ...CURRENTLY_RECOMMENDED_FLAGS, ...context } });
}
