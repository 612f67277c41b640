import type { AlarmConfig, HeadroomConfig, Size } from '../../../shared/core/config/config';
import type { Window } from '../../../shared/core/windows/window';
import { addingAlarms, standingAt } from './expected-alarm-counts';
import { podsText } from './expected-like';
import { peakText } from './expected-peaks';
import { leadMinutes, MINUTE, type Occurrence, wantedOccurrences } from './minute-windows';
import type { WrittenCount, WrittenOverride, WrittenRecord, WrittenRequest } from './written-record';

/** What a size is expected from. */
export interface SizeInput {
  readonly pool: HeadroomConfig;
  readonly record: WrittenRecord;
  readonly now: number;
  /** The size that was decided before, in case it has to be held. */
  readonly decidedBefore: number;
  /** Whether part of the record cannot be read. */
  readonly broken: boolean;
}

export interface ExpectedSize {
  readonly replicas: number;
  /** Absent while nodes are not counted: the texts then say what will be added. */
  readonly reasons?: readonly string[];
  /** What will be added once nodes are counted. */
  readonly uncounted?: number;
  /** The keys of shares that nobody has counted. */
  readonly lacks?: readonly string[];
}

/** A number, or a share of what was counted: as it is added up, and as a reason says it. */
type Sized = Pick<Size, 'replicas' | 'text' | 'lacks'>;

type CountFacts = Pick<WrittenCount, 'nodes' | 'assumed'>;

interface Part {
  readonly replicas: number;
  readonly reason: string;
}

/** The rules of the size, written again: what the headroom has to be, from what its record says. */
export function expectedSize(input: SizeInput): ExpectedSize {
  const { pool, record, now } = input;
  const override = record.override && Date.parse(record.override.until) > now ? record.override : undefined;
  const ordered = override && overrideSize(override, pool);
  if (override?.mode === 'exactly' && ordered && !ordered.lacks)
    return bounded([overridePart(override, `exactly ${ordered.text}`, ordered)], pool);
  const boosts = alarmParts(input);
  const extra = [...boosts, ...surgeParts(input)];
  const all = pool.windows.map((window) => occurrencesNow(window, input));
  const occurrences = all.flatMap((ofWindow) => ofWindow.slice(0, 1));
  const base = pool.shaped?.base ?? { replicas: pool.base, text: unitsOf(pool.base, pool) };
  const absolute: Part[] = [{ replicas: base.replicas, reason: `base${sourceText(pool.liveBase)}: ${base.text}` }];
  for (const one of occurrences.filter(({ window }) => !window.relative)) {
    const { replicas, text } = windowSize(one, pool, record);
    absolute.push({ replicas, reason: windowText(one, text, input) });
  }
  if (override && ordered && (override.mode === 'atLeast' || ordered.lacks)) {
    const alone = alarmSizes(boosts, [], input, []);
    const others = [...absolute, ...relativeSizes(occurrences, undefined, [], input), ...alone].map(
      ({ replicas }) => replicas,
    );
    const from = Math.min(ordered.replicas, Math.max(...others)) * (pool.shaped?.pods ?? 1);
    absolute.push(overridePart(override, `${from} → ${ordered.text}`, ordered));
  }
  const sizes = [
    bounded([highest(absolute), ...boosts.filter(({ alarm }) => !alarm.relative), ...surgeParts(input)], pool),
    ...relativeSizes(occurrences, override, extra, input),
    ...alarmSizes(boosts, surgeParts(input), input),
  ];
  const size = heldSize(highest(sizes), isUncounted(all.flat(), override, input), input);
  const waiting = addingAlarms(pool, record, now).filter(({ counted }) => !counted);
  const uncounted = Math.max(
    ...[0, ...uncountedParts(occurrences, override, extra, input)],
    ...waiting.map(() => bounded(extra, pool).replicas),
  );
  const lacks = pool.shaped ? lacking(occurrences, override, input) : [];
  return { ...size, ...(uncounted > 0 && { uncounted }), ...(lacks.length > 0 && { lacks }) };
}

/** What a window asks for; of a share nobody has counted it is not known. */
export function windowSize(
  { window, key }: Occurrence,
  pool: HeadroomConfig,
  { shares }: Pick<WrittenRecord, 'shares'>,
): Sized {
  return (
    pool.shaped?.sizeOf(window, shares[key]) ?? { replicas: window.replicas, text: unitsOf(window.replicas, pool) }
  );
}

function overrideSize({ replicas, share, of }: WrittenOverride, { shaped }: HeadroomConfig): Sized {
  return shaped?.sizeOf({ share, pods: replicas }, of) ?? { replicas, text: `${replicas}` };
}

function alarmSize(
  { alarmName, add, share, pods }: AlarmConfig,
  pool: HeadroomConfig,
  { alarms }: Pick<WrittenRecord, 'alarms'>,
): Sized {
  return pool.shaped?.sizeOf({ share, pods }, alarms[alarmName]?.of) ?? { replicas: add, text: `${add}` };
}

/** The occurrences of one window that count now. */
export function occurrencesNow(window: Window, { pool, record, now }: SizeInput): Occurrence[] {
  const lead = leadOf(window, pool, record);
  const isRequested = (key: string) => pool.autoLead !== undefined && Object.hasOwn(record.requests, key);
  return wantedOccurrences(window, now, lead, isRequested);
}

function relativeSizes(
  occurrences: readonly Occurrence[],
  override: WrittenOverride | undefined,
  extra: readonly Part[],
  { pool, record, now }: SizeInput,
): ExpectedSize[] {
  if (pool.unit.kind !== 'floor') return [];
  const over = (count: CountFacts, part: Part) => above(count, [part, ...extra], pool);
  const windows = occurrences.flatMap((one) => {
    const count = one.window.relative && countFor(one, record, { pool, record });
    if (!count) return [];
    const reason = windowText(one, sumText(count, one.window.replicas), { pool, record, now });
    return [over(count, { replicas: one.window.replicas, reason })];
  });
  const counted = override?.mode === 'addNodes' && override.counted;
  return counted ? [...windows, over(counted, overridePart(override, sumText(counted, override.replicas)))] : windows;
}

/** Alarms that add nodes to a count of their own, on top of which come the other alarms. */
function alarmSizes(
  boosts: readonly AlarmPart[],
  surges: readonly Part[],
  { pool, record, now }: SizeInput,
  others?: readonly Part[],
): ExpectedSize[] {
  return addingAlarms(pool, record, now).flatMap(({ alarm, counted }) => {
    const own = boosts.find((boost) => boost.alarm === alarm);
    if (!own || !counted) return [];
    const reason = own.reason.replace(`+${alarm.add}`, sumText(counted, alarm.add));
    return above(counted, [{ ...own, reason }, ...(others ?? boosts.filter((one) => one !== own)), ...surges], pool);
  });
}

function above({ nodes, assumed }: CountFacts, parts: readonly Part[], { max }: HeadroomConfig): ExpectedSize {
  const left = assumed === undefined ? max : assumed - nodes;
  const limit = left < max ? `${left}, because the count is not certain` : `${max} (max)`;
  const { replicas, reasons } = bounded(parts, { max: Math.min(left, max) }, `adds at most ${limit}`);
  return { replicas: nodes + replicas, reasons };
}

/** How much is added to counts that do not exist yet. */
function uncountedParts(
  occurrences: readonly Occurrence[],
  override: WrittenOverride | undefined,
  extra: readonly Part[],
  { pool, record }: SizeInput,
): number[] {
  if (pool.unit.kind !== 'floor') return [];
  const waiting = occurrences.filter((one) => one.window.relative && !countFor(one, record, { pool, record }));
  const adds = waiting.map(({ window }) => window.replicas);
  if (override?.mode === 'addNodes' && !override.counted) adds.push(override.replicas);
  return adds.map((replicas) => bounded([{ replicas, reason: '' }, ...extra], pool).replicas);
}

/** The count that an occurrence adds to: its own, or the lowest that stands in `counts` when it is requested. */
export function countFor(
  one: Occurrence,
  counts: Pick<WrittenRecord, 'counts' | 'override' | 'alarms'>,
  { pool, record }: Pick<SizeInput, 'pool' | 'record'>,
): Omit<WrittenCount, 'until'> | undefined {
  const own = counts.counts[one.key];
  if (own) return own;
  const { lowest, isInForce } = standingAt(counts, pool, requestTime(one, pool, record));
  return isInForce ? lowest : undefined;
}

/** Its start less the lead time, or when it was requested, if that was earlier. */
export function requestTime(
  { window, key, start }: Occurrence,
  pool: HeadroomConfig,
  record: SizeInput['record'],
): number {
  const recordedAt = pool.autoLead ? Date.parse(record.requests[key]?.at ?? new Date(start).toISOString()) : start;
  return Math.min(recordedAt, start - leadOf(window, pool, record) * MINUTE);
}

/** No schedule fires on the edges of a live window, so that it is requested a heartbeat earlier. */
export function leadOf(window: Window, pool: HeadroomConfig, record: SizeInput['record']): number {
  return leadMinutes(pool, window, record) + (window.live?.earlyMinutes ?? 0);
}

/** Whether a live window was written when its lead time had begun, and not requested since: it gets no verdict. */
export function isTooLate(
  { window, key, start }: Occurrence,
  { pool, record }: Pick<SizeInput, 'pool' | 'record'>,
): boolean {
  const since = window.live?.since ?? Number.NEGATIVE_INFINITY;
  const requested = pool.autoLead && record.requests[key];
  return since > start - leadOf(window, pool, record) * MINUTE && !(requested && Date.parse(requested.at) >= since);
}

/** Whether a floor waits for a count: then nothing may shrink. */
function isUncounted(
  occurrences: readonly Occurrence[],
  override: WrittenOverride | undefined,
  { pool, record, now }: SizeInput,
): boolean {
  if (pool.shaped) return pool.shaped.pods === 0 || lacking(occurrences, override, { pool, record, now }).length > 0;
  if (pool.unit.kind !== 'floor') return false;
  if (addingAlarms(pool, record, now).some(({ waits }) => waits)) return true;
  const waits = occurrences.some((one) => one.window.relative && !countFor(one, record, { pool, record }));
  return waits || (override?.mode === 'addNodes' && override.counted === undefined);
}

/** What is a share of replicas that nobody has counted. */
function lacking(
  occurrences: readonly Occurrence[],
  override: WrittenOverride | undefined,
  { pool, record, now }: Situation,
): string[] {
  const sizes: readonly (readonly [string, Partial<Sized> | undefined])[] = [
    ['base', pool.shaped?.base],
    ...occurrences.map((one) => [one.key, windowSize(one, pool, record)] as const),
    ...boosting({ pool, record, now }).map(({ alarm }) => [alarm.name, alarmSize(alarm, pool, record)] as const),
    ['override', override && overrideSize(override, pool)],
  ];
  return sizes.flatMap(([what, size]) => (size?.lacks ? [what] : []));
}

function heldSize(size: ExpectedSize, uncounted: boolean, { pool, decidedBefore, broken }: SizeInput): ExpectedSize {
  const held = pool.unit.kind === 'floor' ? decidedBefore : Math.min(decidedBefore, pool.max);
  if (uncounted) return { replicas: Math.max(held, size.replicas) };
  if (!broken || held <= size.replicas) return size;
  return { replicas: held, reasons: [...(size.reasons ?? []), `held at ${held}: part of the record cannot be read`] };
}

function bounded(
  parts: readonly Part[],
  { max, shaped }: Pick<HeadroomConfig, 'max' | 'shaped'>,
  limit = `limited to max ${shaped?.max ?? max}`,
): Required<Pick<ExpectedSize, 'replicas' | 'reasons'>> {
  const wanted = parts.reduce((sum, { replicas }) => sum + replicas, 0);
  const reasons = parts.map(({ reason }) => reason);
  return wanted > max ? { replicas: max, reasons: [...reasons, limit] } : { replicas: wanted, reasons };
}

/** The first of the highest. */
function highest<T extends { readonly replicas: number }>(all: readonly T[]): T {
  const most = Math.max(...all.map(({ replicas }) => replicas));
  return all.find(({ replicas }) => replicas === most) as T;
}

function overridePart(
  { by, until, reason, ...written }: WrittenOverride,
  size: string,
  { replicas }: Pick<Part, 'replicas'> = written,
): Part {
  return { replicas, reason: `Override by ${by}: ${size} until ${minuteText(Date.parse(until))} (${reason})` };
}

function sumText({ nodes, assumed }: CountFacts, adds: number): string {
  const source = assumed !== undefined ? `, with the ${nodes} that the last decided size allows for` : '';
  return `${nodes} node${nodes === 1 ? '' : 's'} + ${adds} = ${nodes + adds}${source}`;
}

function unitsOf(replicas: number, { unit }: SizeInput['pool']): string {
  return `${replicas} ${unit.kind === 'slice' ? 'slice' : 'node'}${replicas === 1 ? '' : 's'}`;
}

function windowText(
  one: Occurrence,
  size: string,
  { pool, record, now }: Pick<SizeInput, 'pool' | 'record' | 'now'>,
): string {
  const { window, start, key } = one;
  const when = start > now ? 'opens' : 'open since';
  const requested = learnedText(record.requests[key], start);
  if (window.kind === 'once' && window.live?.announced)
    return `${peakText(window, size, isTooLate(one, { pool, record }))}${requested}`;
  const late = isTooLate(one, { pool, record }) ? ', written too late for its lead time' : '';
  return `${window.name}${sourceText(window.live)} ${when} ${minuteText(start)}${late}: ${size}${requested}`;
}

/** Where something comes from that was not deployed. */
function sourceText(live: Window['live']): string {
  return live ? ` (live since ${minuteText(live.since)} by ${live.by})` : '';
}

/** When an occurrence was requested, if its lead time is learned. */
function learnedText(request: WrittenRequest | undefined, start: number): string {
  if (request?.nodes === undefined) return '';
  const minutes = Math.ceil((start - Date.parse(request.at)) / MINUTE);
  const took =
    request.took === undefined ? undefined : request.took < minutes ? 'less' : `up to ${spanText(request.took)}`;
  const basis = took
    ? `95 % of the last ${request.nodes} nodes took ${took}`
    : `the start value, with ${request.nodes} of 5 nodes known`;
  return `, requested ${minutes > 0 ? `${spanText(minutes)} ahead` : 'after its start'}: ${basis}`;
}

function spanText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [...(hours > 0 ? [`${hours} h`] : []), ...(rest > 0 ? [`${rest} min`] : [])].join(' ');
}

/** What is added to a count, with alarms and notices. */
export function addedNow(replicas: number, input: Situation): number {
  const extra = [...alarmParts(input), ...surgeParts(input)];
  return bounded([{ replicas, reason: '' }, ...extra], input.pool).replicas;
}

type Situation = Pick<SizeInput, 'pool' | 'record' | 'now'>;

interface AlarmPart extends Part {
  readonly alarm: AlarmConfig;
}

function alarmParts(input: Situation): AlarmPart[] {
  return boosting(input).map(({ alarm, when }) => {
    const { replicas, text } = alarmSize(alarm, input.pool, input.record);
    return { alarm, replicas, reason: `alarm ${alarm.name}: +${text} ${when}` };
  });
}

/** The alarms that are on, or whose hold has not ended. */
export function boosting({ pool, record, now }: Situation): { readonly alarm: AlarmConfig; readonly when: string }[] {
  return pool.alarms.flatMap((alarm) => {
    const { alarmName, holdSeconds } = alarm;
    const known = Object.hasOwn(record.alarms, alarmName) ? record.alarms[alarmName] : undefined;
    if (known?.state === 'ALARM') return [{ alarm, when: 'while in ALARM' }];
    const until = Date.parse(known?.ended ?? '') + holdSeconds * 1_000;
    return until > now ? [{ alarm, when: `until ${minuteText(until)}` }] : [];
  });
}

function surgeParts({ pool: { interruptions, shaped }, record, now }: Situation): Part[] {
  const live = Object.values(record.surges).filter(({ until }) => Date.parse(until) > now);
  if (!interruptions || live.length === 0) return [];
  const replicas = Math.min(live.length * interruptions.surge, interruptions.max);
  const isFull = live.length * interruptions.surge >= interruptions.max;
  const [cause, ...others] = new Set(live.map((one) => one.cause));
  const kind = others.length > 0 ? 'interruption' : (CAUSES[cause ?? ''] ?? cause);
  const notices = `${live.length}${isFull ? ' or more' : ''} ${kind} notice${live.length === 1 ? '' : 's'}`;
  const last = Math.max(...live.map(({ until }) => Date.parse(until)));
  const added = shaped ? podsText(replicas * shaped.pods) : replicas;
  const size = `+${added}${isFull ? ' (the maximum)' : ''}`;
  return [{ replicas: shaped?.pods === 0 ? 0 : replicas, reason: `${notices}: ${size} until ${minuteText(last)}` }];
}

const CAUSES: Readonly<Record<string, string>> = {
  capacityReservation: 'capacity reservation',
  stateChange: 'state change',
};

function minuteText(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 16)}Z`;
}
