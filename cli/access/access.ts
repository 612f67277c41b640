import type { KubeTransport } from '../../shared/adapters/kube/kube-transport';
import type { NodePoolConfig } from '../../shared/core/config/config';
import type { ConfigResponse, StatusResponse } from '../../shared/core/handle';
import type { OverrideResponse } from '../../shared/core/respond';

export type AccessResponse = OverrideResponse | StatusResponse | ConfigResponse;

/** A connection to a running Headstart: through its deployed function, or directly to the cluster. */
export interface Access {
  /** What it connects to, for messages. */
  readonly place: string;
  /** Sends an override or a release, or a query: `{status: true}` or, for the deployed config, `{config: true}`. */
  send(request: Readonly<Record<string, unknown>>): Promise<AccessResponse>;
  /** The time at the other end, according to its last response: overrides expire by that clock, not by this machine's. */
  now(): number;
  /** What says that this is another cluster than the config's. Only with direct access to the cluster. */
  mismatch?(): Promise<string | undefined>;
  /** How many nodes a floor would count now, if they can be read. Only with direct access to the cluster. */
  countNodes?(pool: NodePoolConfig): Promise<number | undefined>;
  /** Direct access to the cluster, with the caller's own permissions. */
  readonly transport?: KubeTransport;
}
