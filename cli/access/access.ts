import type { KubeTransport } from '../../shared/adapters/kube/kube-transport';
import type { NodePoolConfig } from '../../shared/core/config/config';
import type { ConfigResponse, StatusResponse } from '../../shared/core/handle';
import type { OverrideResponse } from '../../shared/core/respond';

export type AccessResponse = OverrideResponse | StatusResponse | ConfigResponse;

/** The way to a running Headstart: its deployed function, or the cluster itself. */
export interface Access {
  /** What is talked to, for messages. */
  readonly place: string;
  /** Sends an order, or asks: for the status with `{status: true}`, for the deployed config with `{config: true}`. */
  order(order: Readonly<Record<string, unknown>>): Promise<AccessResponse>;
  /** The time there, as the last response showed it: overrides expire by that clock and not by this machine's. */
  now(): number;
  /** How many nodes a floor would count now; `undefined` where they cannot be read. Only where the cluster is reached. */
  countNodes?(pool: NodePoolConfig): Promise<number | undefined>;
  /** Where the cluster itself is reached, with the caller's own rights. */
  readonly transport?: KubeTransport;
}
