/**
 * The exports of `headstart` for a CDK app.
 *
 * @packageDocumentation
 */
export type { Config } from '../shared/core/config/config';
export { type AddStacksOptions, addStacks } from './add-stacks';
export { type ClusterlessConfigProps, type ConfigProps, defineConfig } from './define-config';
export { Headstart, type HeadstartProps } from './headstart';
export { HeadstartStack, type HeadstartStackProps } from './headstart-stack';
export { KarpenterStack, type KarpenterStackProps } from './karpenter-stack';
export { type LoadConfigOptions, loadConfig, UnusableConfigError } from './load-app-config';
