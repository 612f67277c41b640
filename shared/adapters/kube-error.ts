/** The Kubernetes API refused or could not be reached; the message names the request. */
export class KubeError extends Error {
  override readonly name = 'KubeError';

  constructor(
    request: { readonly method: string; readonly path: string },
    /** 0 when there was no answer at all. */
    readonly status: number,
    readonly reason: string,
    message: string,
    options?: ErrorOptions,
  ) {
    const [path] = request.path.split('?');
    super(`${request.method} ${path}: ${status === 0 ? '' : `${status} `}${reason}: ${message}`, options);
  }
}
