import { applyContract } from './kube-apply';
import type { Connect } from './kube-client';
import { objectContract } from './kube-objects';
import { updateContract } from './kube-updates';
import { validationContract } from './kube-validation';

export interface KubeContract {
  /** Which server this is, for the title. */
  readonly name: string;
  /** Called once; the namespace must exist and hold nothing of interest. */
  readonly connect: Connect;
}

/**
 * What Headstart relies on in a Kubernetes API, as tests that every server must pass:
 * the one of the sandbox, and a real kube-apiserver.
 */
export function kubeContract({ name, connect }: KubeContract): void {
  describe(`the Kubernetes API of ${name}`, () => {
    let opened: ReturnType<Connect> | undefined;
    const once: Connect = () => {
      opened ??= connect();
      return opened;
    };
    afterAll(async () => {
      await (await opened)?.close?.();
    });

    describe('objects', () => objectContract(once));
    describe('updates', () => updateContract(once));
    describe('server-side apply', () => applyContract(once));
    describe('validation', () => validationContract(once));
  });
}
