import { kubeCluster } from '../../../../shared/adapters/kube/kube-cluster';
import type { KubeTransport } from '../../../../shared/adapters/kube/kube-transport';

type Asked = readonly [method: string, path: string, ...rest: unknown[]];

/** A cluster whose API answers every request with this, or with what it returns for a path, and what it was asked. */
export function answering(answer: unknown) {
  const asked: Asked[] = [];
  const call =
    (method: string) =>
    async (path: string, ...rest: unknown[]) => {
      asked.push([method, path, ...rest]);
      if (answer instanceof Error) throw answer;
      return typeof answer === 'function' ? answer(path) : answer;
    };
  const transport = { get: call('get'), create: call('create'), apply: call('apply'), delete: call('delete') };
  return { cluster: kubeCluster(transport as unknown as KubeTransport, 'headroom'), asked };
}
