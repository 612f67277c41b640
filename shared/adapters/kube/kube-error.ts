/** The Kubernetes API refused or could not be reached; the message names the request. */
export class KubeError extends Error {
  override readonly name = 'KubeError';
  readonly path: string;
  /** The server's Retry-After. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    request: { readonly method: string; readonly path: string },
    /** 0 if there was no response at all. */
    readonly status: number,
    readonly reason: string,
    message: string,
    options: ErrorOptions & { readonly retryAfterSeconds?: number } = {},
  ) {
    const [path = ''] = request.path.split('?');
    super(`${request.method} ${path}: ${status === 0 ? '' : `${status} `}${reason}: ${message}`, options);
    this.path = path;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** `undefined` for a 404: the object, or its kind, does not exist. */
export async function orMissing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof KubeError && error.status === 404) return undefined;
    throw error;
  }
}
