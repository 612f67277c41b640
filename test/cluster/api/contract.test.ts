import { randomUUID } from 'node:crypto';
import { kubeContract } from '../../contract/kube-contract';
import { describeCluster, sharedCluster } from '../harness/shared-cluster';

describeCluster('what Headstart relies on', () => {
  kubeContract({
    name: 'a real control plane',
    connect: async () => {
      const { admin } = await sharedCluster();
      const namespace = `contract-${randomUUID().slice(0, 8)}`;
      await admin.send('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
      return {
        namespace,
        request: (method, path, body, contentType) => admin.request(method, path, body, contentType),
        close: () => admin.remove(`/api/v1/namespaces/${namespace}`),
      };
    },
  });
});
