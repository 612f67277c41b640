import type { KubeTransport } from '../../shared/adapters/kube/kube-transport';
import type { Config, HeadroomConfig } from '../../shared/core/config/config';
import type { ConfigResponse, StatusResponse } from '../../shared/core/handle';
import type { OverrideResponse } from '../../shared/core/respond';
import type { HeadroomStatus } from '../../shared/core/status';
import { InputError } from '../terminal/exit';
import { plainAll } from '../terminal/plain';

export type AccessResponse = OverrideResponse | StatusResponse | ConfigResponse;

/** A connection to a running Headstart: through its deployed function, or directly to the cluster. */
export interface Access {
  readonly place: string;
  /** Sends an override or a release, or a query: `{status: true}` or, for the deployed config, `{config: true}`. */
  send(request: Readonly<Record<string, unknown>>): Promise<AccessResponse>;
  /** The time at the other end, according to its last response: overrides expire by that clock, not by this machine's. */
  now(): number;
  /** What says that this is another cluster than the config's. Only with direct access to the cluster. */
  mismatch?(): Promise<string | undefined>;
  /** How many nodes a floor would count now, if they can be read. Only with direct access to the cluster. */
  countNodes?(pool: HeadroomConfig): Promise<number | undefined>;
  /** Direct access to the cluster, with the caller's own permissions. */
  readonly transport?: KubeTransport;
}

/** With --function it may be somebody else's. */
const NOT_OURS = "check that it is Headstart's inflate function";

export async function statuses({ send, place }: Access): Promise<readonly HeadroomStatus[]> {
  const response = await send({ status: true });
  if ('status' in response) return plainAll(response.status);
  throw new Error(`${place} returned no status; ${NOT_OURS}`);
}

export async function statusOf(access: Access, headroom: string): Promise<HeadroomStatus> {
  const found = (await statuses(access)).find((one) => one.headroom === headroom);
  if (found) return found;
  throw new InputError(`${access.place} does not know headroom ${headroom}; deploy this config first`);
}

export async function deployedConfig({ send, place }: Access): Promise<Config> {
  const response = await send({ config: true });
  if ('config' in response) return response.config;
  throw new Error(`${place} returned no config; ${NOT_OURS}`);
}

export async function sendOverride(
  { send, place }: Access,
  request: Parameters<Access['send']>[0],
): Promise<OverrideResponse> {
  const response = await send(request);
  if ('decisions' in response) return plainAll(response);
  throw new Error(`${place} returned no decisions; ${NOT_OURS}`);
}
