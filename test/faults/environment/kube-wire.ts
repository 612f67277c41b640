import type { KubeApi } from '../../../lab/simulator/kube/api/kube-api';
import { apiVersionOf, type Kind } from '../../../lab/simulator/kube/kinds';
import type { KubeObject } from '../../../lab/simulator/kube/object-types';
import { tableOf } from '../../../lab/simulator/kube/rest/kubectl-table';
import { listed, rendered, respond } from '../../../lab/simulator/kube/rest/rest-response';
import { parsePath } from '../../../lab/simulator/kube/rest/routes';
import type { HttpResponse } from '../../../shared/adapters/http/http-request';
import type { KubeRequest } from '../../../shared/adapters/kube/send';

import { EVENTS_PATH, type EventLog, LOGGED_EVENTS } from './event-log';

import { isWorkload, type Workloads } from './workloads';

/** Small enough that a dozen of objects takes several pages. */
const PAGE_SIZE = 8;
/** A real API server expires its lists, too. */
const MAX_LISTS = 500;

interface OpenList {
  readonly kind: Kind;
  readonly version: string;
  readonly texts: readonly string[];
  readonly from: number;
}

/** The simulated Kubernetes API over the wire: text in, text out, and paged lists of one consistent snapshot. */
export class KubeWire {
  /** Objects are immutable, so each is serialized once. */
  private readonly texts = new WeakMap<KubeObject, string>();
  private readonly lists = new Map<string, OpenList>();
  private readonly mostPages = new Map<Kind, number>();
  private opened = 0;

  constructor(
    private readonly api: KubeApi,
    private readonly kubernetesMinor: number,
    private readonly workloads: Workloads,
    /** Where there are wake-ups; elsewhere the API has no Events. */
    private readonly events?: EventLog,
  ) {}

  respond(asked: KubeRequest): HttpResponse {
    const { method, path, body = '', contentType = '', accept = '' } = asked;
    const [pathname = '', search = ''] = path.split('?');
    // As EKS writes it.
    if (pathname === '/version') return ok(JSON.stringify({ major: '1', minor: `${this.kubernetesMinor}+` }));
    const query = new URLSearchParams(search);
    if (isWorkload(pathname)) {
      const text = this.workloads.textAt(pathname);
      return text === undefined ? refusal(404, 'NotFound', 'not found') : ok(text);
    }
    if (this.events && pathname === EVENTS_PATH)
      return method === 'POST' ? this.events.create(asked) : this.list(LOGGED_EVENTS, undefined, query, false);
    const route = parsePath(pathname);
    const request = { method, path: pathname, query, contentType, accept, userAgent: 'headstart', body };
    if (method === 'GET' && route.kind === 'objects')
      return this.list(route.resource, route.namespace, query, accept.includes('as=Table'));
    const response = respond(this.api, request);
    return { status: response.status, headers: {}, body: JSON.stringify(response.body) };
  }

  /** The most pages that a list of this kind has had so far. */
  pagesOf(kind: Kind): number {
    return this.mostPages.get(kind) ?? 1;
  }

  private list(kind: Kind, namespace: string | undefined, query: URLSearchParams, asTable: boolean): HttpResponse {
    const token = query.get('continue');
    const list = token === null ? this.open(kind, namespace, query) : this.lists.get(token);
    if (!list) return EXPIRED;
    const end = list.from + PAGE_SIZE;
    const metadata: { resourceVersion: string; continue?: string } = { resourceVersion: list.version };
    if (end < list.texts.length) metadata.continue = this.keep({ ...list, from: end });
    const items = list.texts.slice(list.from, end).join(',');
    if (asTable) {
      const table = tableOf(kind, JSON.parse(`[${items}]`), { now: this.api.store.now(), metadata, query });
      return ok(JSON.stringify(table));
    }
    const head = `"kind":"${kind.kind}List","apiVersion":"${apiVersionOf(kind)}"`;
    return ok(`{${head},"metadata":${JSON.stringify(metadata)},"items":[${items}]}`);
  }

  private open(kind: Kind, namespace: string | undefined, query: URLSearchParams): OpenList {
    const texts =
      kind === LOGGED_EVENTS
        ? (this.events?.select(query.get('fieldSelector')) ?? []).map((event) => JSON.stringify(event))
        : this.api
            .list(kind, namespace, { labelSelector: query.get('labelSelector') })
            .map((object) => this.textOf(kind, object));
    this.mostPages.set(kind, Math.max(this.pagesOf(kind), Math.ceil(texts.length / PAGE_SIZE)));
    return { kind, version: this.api.store.version, texts, from: 0 };
  }

  private keep(list: OpenList): string {
    this.opened += 1;
    this.lists.delete(`list-${this.opened - MAX_LISTS}`);
    const token = `list-${this.opened}`;
    this.lists.set(token, list);
    return token;
  }

  private textOf(kind: Kind, object: KubeObject): string {
    const known = this.texts.get(object);
    if (known !== undefined) return known;
    const text = JSON.stringify(listed(kind, rendered(this.api, kind, object)));
    this.texts.set(object, text);
    return text;
  }
}

/** The continue token is too old. */
export const EXPIRED = refusal(410, 'Expired', 'The provided continue parameter is too old');

function ok(body: string): HttpResponse {
  return { status: 200, headers: {}, body };
}

/** An error response of the API. */
export function refusal(status: number, reason: string, message: string, retryAfterSeconds?: number): HttpResponse {
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': `${retryAfterSeconds}` };
  return { status, headers, body: JSON.stringify({ kind: 'Status', status: 'Failure', reason, message }) };
}
