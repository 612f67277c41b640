// A named export, so that a bundle that loads this file on demand contains one class and not the whole API.
export { KubeConfig } from '@kubernetes/client-node';
