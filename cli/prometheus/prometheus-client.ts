import { httpRequest } from '../../shared/adapters/http/http-request';
import { messageOf } from '../../shared/core/basics/errors';
import { parseJson } from '../../shared/core/basics/json';
import { InputError } from '../terminal/exit';

const TIMEOUT_MS = 120_000;
const HOUR = 3_600;

export interface PrometheusAddress {
  readonly url: string;
  /** Sent as a bearer token. */
  readonly token?: string | undefined;
}

export type Labels = Readonly<Record<string, string>>;
/** Unix seconds and a number as text. */
type Point = readonly [number, string];

export interface Series {
  readonly metric: Labels;
  readonly values: readonly Point[];
}

/** All in Unix seconds. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** Prometheus refuses or gives up: the query loads too many samples, or takes too long. */
class TooMuchError extends Error {}

export function queryRange(at: PrometheusAddress, query: string, { from, to, step }: TimeRange) {
  return ask<Series>(at, 'query_range', { query, start: from, end: to, step });
}

export function queryAt(at: PrometheusAddress, query: string, time: number) {
  return ask<{ readonly metric: Labels; readonly value: Point }>(at, 'query', { query, time });
}

/** Reads a range in pieces of at most `points` steps; a piece that is too much is read again as smaller ones. */
export async function inPieces(
  { from, to, step }: TimeRange,
  points: number,
  read: (piece: TimeRange) => Promise<void>,
): Promise<void> {
  for (let [start, left] = [from, points]; start <= to; ) {
    const piece = { from: start, to: Math.min(to, start + (left - 1) * step), step };
    try {
      await read(piece);
      start = piece.to + step;
    } catch (error) {
      if (!(error instanceof TooMuchError)) throw error;
      if (left * step <= HOUR || left < 2) throw new InputError(error.message);
      left = Math.ceil(left / 2);
    }
  }
}

async function ask<Found>(
  { url, token }: PrometheusAddress,
  path: string,
  form: Readonly<Record<string, string | number>>,
): Promise<readonly Found[]> {
  const address = new URL(`${url.replace(/(?<!\/)\/+$/, '')}/api/v1/${path}`);
  const body = Object.entries(form)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const answer = await httpRequest(address, { method: 'POST', headers, body, timeoutMs: TIMEOUT_MS }).catch(
    (error: unknown) => {
      const text = `--prometheus ${url}: does not answer (${messageOf(error)}); check the address and the port-forward`;
      throw messageOf(error).includes('no response within') ? new TooMuchError(text) : new Error(text);
    },
  );
  const found = parseJson(answer.body) as Answer<Found> | undefined;
  if (found?.status === 'success' && Array.isArray(found.data?.result)) return found.data.result;
  const why = found?.error ?? `answered ${answer.status}`;
  const text = `--prometheus ${url}: ${why}; check the address and the query`;
  throw /too many samples|timed out|timeout/.test(why) ? new TooMuchError(text) : new InputError(text);
}

interface Answer<Found> {
  readonly status: string;
  readonly error?: string;
  readonly data?: { readonly result?: readonly Found[] };
}
