/** The Kubernetes API refused or could not be reached; the message names the request. */
export class KubeError extends Error {
  override readonly name = 'KubeError';
  readonly path: string;
  /** How long the server asks to be left alone. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    request: { readonly method: string; readonly path: string },
    /** 0 when there was no answer at all. */
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

/** `undefined` where the API says that there is no such thing: neither the object nor, perhaps, its kind. */
export async function orMissing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof KubeError && error.status === 404) return undefined;
    throw error;
  }
}
