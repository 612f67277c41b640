import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { locateTools } from './build/tools';
import { runCommand } from './process/run-command';
import type { Run } from './run';

/** Who a certificate is for. */
export interface Subject {
  readonly commonName: string;
  readonly groups?: readonly string[];
}

/** A certificate and its key, as PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

interface CertificateRequest extends Partial<Subject> {
  readonly path: string;
  readonly signer?: string;
  readonly hosts?: readonly string[];
  readonly keyOnly?: boolean;
}

const LOOPBACK = ['localhost', '127.0.0.1'];
const MASTERS = ['system:masters'];

/** Path of a file of the run's certificates; without extension it stands for a certificate and its key. */
export function pkiPath({ folder }: Run, name: string): string {
  return join(folder, 'pki', name);
}

/** Makes three authorities (cluster, etcd, aggregation) and everything that the parts need of them. */
export async function createPki(run: Run): Promise<void> {
  const at = (name: string) => pkiPath(run, name);
  const kubernetes = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', '10.96.0.1'];
  await issue([
    { path: at('ca'), commonName: 'headstart-cluster' },
    { path: at('etcd-ca'), commonName: 'headstart-etcd' },
    { path: at('front-proxy-ca'), commonName: 'headstart-front-proxy' },
    { path: at('service-accounts'), keyOnly: true },
    { path: at('etcd'), commonName: 'etcd', signer: at('etcd-ca'), hosts: LOOPBACK },
    { path: at('etcd-client'), commonName: 'kube-apiserver', signer: at('etcd-ca') },
    { path: at('front-proxy-client'), commonName: 'front-proxy-client', signer: at('front-proxy-ca') },
    { path: at('apiserver'), commonName: 'kube-apiserver', signer: at('ca'), hosts: [...LOOPBACK, ...kubernetes] },
    { path: at('serving'), commonName: 'serving', signer: at('ca'), hosts: LOOPBACK },
    { path: at('admin'), commonName: 'admin', groups: MASTERS, signer: at('ca') },
    { path: at('kwok'), commonName: 'kwok', groups: MASTERS, signer: at('ca') },
    { path: at('karpenter'), commonName: 'karpenter', groups: MASTERS, signer: at('ca') },
    { path: at('kube-controller-manager'), commonName: 'system:kube-controller-manager', signer: at('ca') },
    { path: at('kube-scheduler'), commonName: 'system:kube-scheduler', signer: at('ca') },
  ]);
}

/** Issues a client certificate that the cluster trusts. */
export async function issueClientCertificate(run: Run, name: string, subject: Subject): Promise<void> {
  await issue([{ path: pkiPath(run, name), signer: pkiPath(run, 'ca'), ...subject }]);
}

/** A certificate for loopback, of an authority of its own that nobody knows yet. */
export interface ForeignCertificate extends KeyPair {
  readonly ca: string;
}

export async function issueForeignCertificate(run: Run): Promise<ForeignCertificate> {
  const [authority, name] = [`authority-${randomUUID()}`, `foreign-${randomUUID()}`];
  await issue([
    { path: pkiPath(run, authority), commonName: authority },
    { path: pkiPath(run, name), commonName: name, signer: pkiPath(run, authority), hosts: LOOPBACK },
  ]);
  return { ca: readFileSync(pkiPath(run, `${authority}.crt`), 'utf8'), ...readKeyPair(run, name) };
}

/** Reads a certificate and its key. */
export function readKeyPair(run: Run, name: string): KeyPair {
  return {
    cert: readFileSync(`${pkiPath(run, name)}.crt`, 'utf8'),
    key: readFileSync(`${pkiPath(run, name)}.key`, 'utf8'),
  };
}

/** The authority that the apiserver's certificate comes from. */
export function readAuthority(run: Run): string {
  return readFileSync(pkiPath(run, 'ca.crt'), 'utf8');
}

async function issue(requests: readonly CertificateRequest[]): Promise<void> {
  await runCommand({ program: locateTools().pki, args: [], input: JSON.stringify(requests) });
}
