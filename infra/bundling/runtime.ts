import { Runtime } from 'aws-cdk-lib/aws-lambda';

/** What every function runs on: it is deployed with it, bundled for it and measured on it. */
export const RUNTIME = Runtime.NODEJS_24_X;

/** Its major version: 24 of `nodejs24.x`. */
export const NODE_MAJOR = Number.parseInt(RUNTIME.name.slice('nodejs'.length), 10);
