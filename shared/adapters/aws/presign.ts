import { createHash, createHmac } from 'node:crypto';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface PresignRequest {
  readonly service: string;
  readonly region: string;
  /** Where the call goes, without a query. */
  readonly url: URL;
  readonly query: Readonly<Record<string, string>>;
  /** Signed in addition to the host; they must be sent with the call. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly expiresSeconds: number;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

/**
 * The URL of a GET call, signed offline with Signature Version 4. A library for this
 * would be a sixth of a function's bundle.
 *
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html
 */
export function presign(request: PresignRequest, credentials: AwsCredentials, now: number): URL {
  const { service, region, url, expiresSeconds } = request;
  const date = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = [date.slice(0, 8), region, service, 'aws4_request'];
  const headers = Object.entries({ host: url.host, ...request.headers }).sort(byName);
  const signedHeaders = headers.map(([name]) => name).join(';');
  const query = canonicalQuery({
    ...request.query,
    'X-Amz-Algorithm': ALGORITHM,
    'X-Amz-Credential': [credentials.accessKeyId, ...scope].join('/'),
    'X-Amz-Date': date,
    'X-Amz-Expires': String(expiresSeconds),
    ...(credentials.sessionToken !== undefined && { 'X-Amz-Security-Token': credentials.sessionToken }),
    'X-Amz-SignedHeaders': signedHeaders,
  });
  const lines = headers.map(([name, value]) => `${name}:${value}\n`).join('');
  const canonical = ['GET', url.pathname, query, lines, signedHeaders, hash('')].join('\n');
  const key = scope.reduce<Buffer | string>(hmac, `AWS4${credentials.secretAccessKey}`);
  const signature = hmac(key, [ALGORITHM, date, scope.join('/'), hash(canonical)].join('\n')).toString('hex');
  return new URL(`${url.origin}${url.pathname}?${query}&X-Amz-Signature=${signature}`);
}

function canonicalQuery(query: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(query).map(([name, value]) => [encode(name), encode(value)] as const);
  return pairs
    .sort(byName)
    .map((pair) => pair.join('='))
    .join('&');
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1;
}

/** Signature Version 4 also encodes some characters that `encodeURIComponent` leaves. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
