import type { KubeRequest } from '../../../shared/adapters/kube/send';
import type { Invocation } from '../environment/invocation';
import { isWorkload } from '../environment/workloads';
import { workloadPath } from '../model/expected-like';
import { differs } from './modelled-write';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/headroom/deployments';
const EVENTS = '/apis/events.k8s.io/v1/namespaces/headroom/events';
const PODS = '/api/v1/namespaces/headroom/pods';
const REPLICA_SETS = '/apis/apps/v1/namespaces/headroom/replicasets';
const LIVE = '/api/v1/namespaces/headroom/configmaps/headroom-schedules';
const JSON_TYPE = 'application/json';
const APPLY_TYPE = 'application/apply-patch+yaml';
const NAME = /^headroom-[a-z]+$/;

const CLAIMS = '/apis/karpenter.sh/v1/nodeclaims';
const AS_TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

/** Every request is one of the few that Headstart makes, down to its query, its type and its guards. */
export function wrongShape(request: KubeRequest, invocation: Invocation): string | undefined {
  const [path = '', search = ''] = request.path.split('?');
  const query = Object.fromEntries(new URLSearchParams(search));
  switch (request.method) {
    case 'GET':
      return (
        (isWorkload(path)
          ? wrongWorkload(path, query, invocation)
          : wrongRead(path, query, request.accept, invocation)) ?? differs('body', request.body, undefined)
      );
    case 'POST':
      return differs('type', request.contentType, JSON_TYPE) ?? differs('path', [path, query], [EVENTS, {}]);
    case 'PATCH':
      return differs('type', request.contentType, APPLY_TYPE) ?? wrongApply(path, query, bodyOf(request));
    case 'DELETE':
      return differs('type', request.contentType, JSON_TYPE) ?? wrongDelete(path, query, bodyOf(request), invocation);
    default:
      return 'is none of ours';
  }
}

type Query = Readonly<Record<string, string>>;

interface Body {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly preconditions?: { readonly uid?: unknown; readonly resourceVersion?: unknown };
}

function bodyOf({ body = '{}' }: KubeRequest): Body {
  return JSON.parse(body) as Body;
}

function wrongRead(path: string, query: Query, accept: string | undefined, invocation: Invocation): string | undefined {
  if (path === '/version' || path === LIVE) return differs('query', query, {});
  if (path.startsWith(`${DEPLOYMENTS}/`)) {
    const isNamed = NAME.test(path.slice(DEPLOYMENTS.length + 1));
    return isNamed ? differs('query', query, {}) : 'names no headroom';
  }
  const { limit = '', continue: _token, labelSelector, includeObject, fieldSelector, ...others } = query;
  if (!(Number(limit) > 0) || Object.keys(others).length > 0) return 'is no page of a list';
  if ([EVENTS, PODS, REPLICA_SETS].includes(path)) return wrongWakeUp(path, query, accept, invocation);
  if (fieldSelector !== undefined) return 'selects fields';
  const isTable = includeObject !== undefined || accept !== undefined;
  if (isTable && (path !== CLAIMS || invocation.functionName !== 'interruption')) return 'is read as a table';
  if (path === DEPLOYMENTS) return differs('selector', labelSelector, 'app.kubernetes.io/managed-by=headstart');
  if (path === '/apis/karpenter.sh/v1/nodepools') return differs('selector', labelSelector, undefined);
  if (path !== CLAIMS) return 'is none of ours';
  if (isTable) return differs('table', [includeObject, accept, labelSelector], ['None', AS_TABLE, undefined]);
  // Of a state change the whole NodeClaim is read, whatever its NodePool.
  if (invocation.functionName === 'interruption' && labelSelector === undefined) return undefined;
  return differs('selector', labelSelector, claimSelector(invocation));
}

/** Heartbeats and deploys read all workloads, other functions those of which their event asks for a share. */
function wrongWorkload(path: string, query: Query, { functionName, config, raw }: Invocation): string | undefined {
  const its = config.headrooms.filter((pool) => workloadPath(pool) === path);
  if (its.length === 0) return 'is of no headroom';
  if (functionName === 'reconcile') return differs('query', query, {});
  const { headroom, detail, ...sizes } = raw as Query & { readonly detail?: { readonly alarmName?: string } };
  const isAsked = its.some(({ name, alarms }) =>
    functionName === 'alarm'
      ? alarms.some(({ alarmName, share }) => share !== undefined && alarmName === detail?.alarmName)
      : functionName === 'inflate' && name === headroom && /%$/.test(sizes.atLeast ?? sizes.exactly ?? ''),
  );
  return isAsked ? differs('query', query, {}) : 'is not needed for this event';
}

/** What wake-ups read. */
function wrongWakeUp(path: string, query: Query, accept: string | undefined, { functionName }: Invocation) {
  const { limit: _limit, continue: _token, labelSelector, fieldSelector, ...others } = query;
  if (functionName !== 'reconcile') return 'is for heartbeats only';
  if (Object.keys(others).length > 0 || accept !== undefined) return 'is read as a table';
  const [selector, other, wanted] =
    path === EVENTS
      ? [fieldSelector, labelSelector, /^reason=(Preempted|Woken)$/]
      : [labelSelector, fieldSelector, /^headstart\.dev\/headroom=[a-z]+$/];
  return wanted.test(selector ?? '') && other === undefined ? undefined : `selects ${selector ?? other}`;
}

/** Floors count nodes of any NodePool; node starts need only those of their NodePools. */
function claimSelector({ config }: Invocation): string | undefined {
  if (config.headrooms.some(({ unit }) => unit.kind === 'floor')) return undefined;
  const nodePools = new Set(config.headrooms.map(({ nodePool }) => nodePool));
  return `karpenter.sh/nodepool in (${[...nodePools].join(', ')})`;
}

function wrongApply(path: string, query: Query, { apiVersion, kind, metadata = {} }: Body): string | undefined {
  const { name, namespace, resourceVersion } = metadata;
  return (
    differs('query', query, { fieldManager: 'headstart', force: 'true' }) ??
    differs('kind', [apiVersion, kind], ['apps/v1', 'Deployment']) ??
    differs('path', path, `${DEPLOYMENTS}/${name}`) ??
    differs('namespace', namespace, 'headroom') ??
    (isText(resourceVersion) && NAME.test(String(name)) ? undefined : 'is not guarded')
  );
}

function wrongDelete(
  path: string,
  query: Query,
  { apiVersion, kind, preconditions = {} }: Body,
  { functionName }: Invocation,
): string | undefined {
  const { uid, resourceVersion } = preconditions;
  const isPod = path.startsWith(`${PODS}/headroom-`) && functionName === 'reconcile' && resourceVersion === undefined;
  const isHeadroom = path.startsWith(`${DEPLOYMENTS}/headroom-`) && isText(resourceVersion);
  return (
    differs('query', query, {}) ??
    differs('kind', [apiVersion, kind], ['v1', 'DeleteOptions']) ??
    ((isPod || isHeadroom) && isText(uid) ? undefined : 'is not guarded')
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
