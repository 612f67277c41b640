// Names what is used, so that a bundle that loads this file on demand holds one class and not the whole API.
export { KubeConfig } from '@kubernetes/client-node';
