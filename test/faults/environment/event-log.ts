import { EVENTS, type Kind } from '../../../lab/simulator/kube/kinds';
import type { HttpResponse } from '../../../shared/adapters/http/http-request';
import type { KubeRequest } from '../../../shared/adapters/kube/send';
import { NAMESPACE } from './world';

export const EVENTS_PATH = `/apis/events.k8s.io/v1/namespaces/${NAMESPACE}/events`;
/** The simulator has only those of the core API. */
export const LOGGED_EVENTS: Kind = { ...EVENTS, group: 'events.k8s.io' } as Kind;

export interface LoggedEvent {
  readonly metadata: { readonly name: string };
  readonly reason: string;
  readonly eventTime: string;
  readonly regarding: { readonly kind: string; readonly name: string; readonly uid?: string };
  readonly [field: string]: unknown;
}

/** The Events of the namespace. */
export class EventLog {
  private readonly events = new Map<string, LoggedEvent>();

  /** `false` if there is one of that name. */
  add(event: LoggedEvent): boolean {
    const { name } = event.metadata;
    if (this.events.has(name)) return false;
    this.events.set(name, event);
    return true;
  }

  of(reason: string): readonly LoggedEvent[] {
    return [...this.events.values()].filter((event) => event.reason === reason);
  }

  create({ body = '' }: KubeRequest): HttpResponse {
    if (this.add(JSON.parse(body) as LoggedEvent)) return { status: 201, headers: {}, body };
    const status = { kind: 'Status', status: 'Failure', reason: 'AlreadyExists', message: 'the event already exists' };
    return { status: 409, headers: {}, body: JSON.stringify(status) };
  }

  /** What a list with a field selector finds. */
  select(fieldSelector: string | null): readonly LoggedEvent[] {
    const [, reason] = /^reason=(\w+)$/.exec(fieldSelector ?? '') ?? [];
    return reason === undefined ? [...this.events.values()] : this.of(reason);
  }
}
