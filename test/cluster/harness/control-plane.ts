import { join } from 'node:path';
import { auditFlags } from './audit';
import { startAuthenticator } from './authenticator';
import { locateProgram } from './build/binaries';
import { type Server, writeKubeconfig } from './kubeconfig';
import { type Part, startOnFreePorts } from './part';
import { pkiPath, readAuthority, readKeyPair } from './pki';
import type { Run } from './run';

const LOOPBACK = '127.0.0.1';

interface Neighbours {
  readonly etcdUrl: string;
  readonly tokenWebhook: string;
}

/** Starts etcd and kube-apiserver and says where the latter is. */
export async function startApi(run: Run): Promise<Server> {
  const etcd = await startOnFreePorts(run, 2, (ports) => etcdPart(run, ports));
  const neighbours = { etcdUrl: new URL(etcd.probe.url).origin, tokenWebhook: await startAuthenticator(run) };
  const apiserver = await startOnFreePorts(run, 1, ([port]) => apiserverPart(run, port, neighbours));
  return { url: new URL(apiserver.probe.url).origin, ca: readAuthority(run) };
}

/** Starts a controller of the control plane, with the identity that Kubernetes' own roles are bound to. */
export async function startController(
  run: Run,
  server: Server,
  name: 'kube-controller-manager' | 'kube-scheduler',
): Promise<void> {
  const kubeconfig = writeKubeconfig(run.folder, name, server, readKeyPair(run, name));
  const serviceAccounts = {
    'service-account-private-key-file': `${pkiPath(run, 'service-accounts')}.key`,
    'root-ca-file': pkiPath(run, 'ca.crt'),
    'use-service-account-credentials': 'true',
  };
  await startOnFreePorts(run, 1, ([port]) => ({
    name,
    program: locateProgram(name),
    args: flags({
      'bind-address': LOOPBACK,
      'secure-port': `${port}`,
      'tls-cert-file': `${pkiPath(run, 'serving')}.crt`,
      'tls-private-key-file': `${pkiPath(run, 'serving')}.key`,
      kubeconfig,
      'authentication-kubeconfig': kubeconfig,
      'authorization-kubeconfig': kubeconfig,
      'leader-elect': 'false',
      ...(name === 'kube-controller-manager' && serviceAccounts),
    }),
    probe: { url: `https://${LOOPBACK}:${port}/healthz`, ca: pkiPath(run, 'ca.crt') },
  }));
}

function etcdPart(run: Run, [client, peer]: readonly number[]): Part {
  const url = `https://${LOOPBACK}:${client}`;
  const peerUrl = `http://${LOOPBACK}:${peer}`;
  return {
    name: 'etcd',
    program: locateProgram('etcd'),
    args: flags({
      // A folder per port: a start that found its port taken may have left one behind.
      'data-dir': join(run.folder, `etcd-${client}`),
      'listen-client-urls': url,
      'advertise-client-urls': url,
      'listen-peer-urls': peerUrl,
      'initial-advertise-peer-urls': peerUrl,
      'initial-cluster': `default=${peerUrl}`,
      'cert-file': `${pkiPath(run, 'etcd')}.crt`,
      'key-file': `${pkiPath(run, 'etcd')}.key`,
      'trusted-ca-file': pkiPath(run, 'etcd-ca.crt'),
      'client-cert-auth': 'true',
      'unsafe-no-fsync': 'true',
      'log-level': 'warn',
    }),
    probe: { url: `${url}/health`, ca: pkiPath(run, 'etcd-ca.crt'), client: pkiPath(run, 'etcd-client') },
  };
}

function apiserverPart(run: Run, port: number | undefined, neighbours: Neighbours): Part {
  const at = (name: string) => pkiPath(run, name);
  return {
    name: 'kube-apiserver',
    program: locateProgram('kube-apiserver'),
    args: flags({
      'bind-address': LOOPBACK,
      'advertise-address': LOOPBACK,
      'secure-port': `${port}`,
      // Kubernetes refuses to publish a loopback address as the endpoint of its own Service.
      'endpoint-reconciler-type': 'none',
      'service-cluster-ip-range': '10.96.0.0/16',
      'authorization-mode': 'Node,RBAC',
      'anonymous-auth': 'false',
      'allow-privileged': 'true',
      'client-ca-file': at('ca.crt'),
      'tls-cert-file': at('apiserver.crt'),
      'tls-private-key-file': at('apiserver.key'),
      'etcd-servers': neighbours.etcdUrl,
      'etcd-cafile': at('etcd-ca.crt'),
      'etcd-certfile': at('etcd-client.crt'),
      'etcd-keyfile': at('etcd-client.key'),
      'authentication-token-webhook-config-file': neighbours.tokenWebhook,
      'authentication-token-webhook-version': 'v1',
      'service-account-key-file': at('service-accounts.pub'),
      'service-account-signing-key-file': at('service-accounts.key'),
      'service-account-issuer': 'https://kubernetes.default.svc',
      'requestheader-client-ca-file': at('front-proxy-ca.crt'),
      'requestheader-allowed-names': 'front-proxy-client',
      'requestheader-username-headers': 'X-Remote-User',
      'requestheader-group-headers': 'X-Remote-Group',
      'requestheader-extra-headers-prefix': 'X-Remote-Extra-',
      'proxy-client-cert-file': at('front-proxy-client.crt'),
      'proxy-client-key-file': at('front-proxy-client.key'),
      ...auditFlags(run),
    }),
    probe: { url: `https://${LOOPBACK}:${port}/readyz`, ca: at('ca.crt'), client: at('admin') },
  };
}

function flags(values: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(values).map(([name, value]) => `--${name}=${value}`);
}
