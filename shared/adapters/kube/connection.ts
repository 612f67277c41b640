/** How to reach one Kubernetes API. TLS is always verified; plain HTTP is for loopback only. */
export interface Connection {
  /** `https://host:port`, without a slash at the end. */
  server(): string;
  readonly tls: () => {
    readonly ca?: string | Buffer;
    readonly cert?: string | Buffer;
    readonly key?: string | Buffer;
  };
  /** Authorization headers; `fresh` after a 401, when a cached token must not be used again. */
  authorize(fresh: boolean): Promise<Readonly<Record<string, string>>>;
  /** Looks the endpoint up again after it did not answer; gives up at the deadline. */
  rediscover?(deadline: number): Promise<void>;
}

/** Plain HTTP to an API on loopback, such as the sandbox's. */
export function loopbackConnection(url: string, token?: string): Connection {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return { server: () => url, tls: () => ({}), authorize: async () => headers };
}
