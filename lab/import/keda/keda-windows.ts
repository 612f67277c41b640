import { MAX_REPLICAS } from '../../../shared/core/basics/record-limits';
import { asList, asMap, type Values } from '../../../shared/core/config/yaml/untyped';
import { type CronFields, parseCron } from '../../../shared/core/windows/cron';
import { nextLocal } from '../../../shared/core/windows/cron-times';
import { isTimezone } from '../../../shared/core/windows/zone';
import type { FieldLedger } from '../input/field-ledger';

const YEAR = 366 * 86_400_000;
const FROM = Date.UTC(2026, 0, 1);
const NEVER = Number.POSITIVE_INFINITY;
/** Enough for three weeks of hourly windows, with 48 edges a day, or a year and a half of daily ones. */
const MAX_STEPS = 1_100;

/** A cron trigger; its size is in pods. */
export interface ImportedWindow {
  readonly name: string;
  readonly timezone: string;
  readonly start: string;
  readonly end: string;
  readonly desiredReplicas: number;
}

export interface KedaBounds {
  /** While no trigger is active. */
  readonly always: number;
  /** The minimum while one is active. */
  readonly least: number;
  readonly most: number;
}

/** The cron triggers of a ScaledObject that request more than `above` pods, and what differs from KEDA. */
export function windowsOf(
  ledger: FieldLedger,
  objectName: string,
  { least, most }: KedaBounds,
  above: number,
): { readonly windows: readonly ImportedWindow[]; readonly remarks: readonly string[] } {
  const triggers = asList(ledger.peek('spec', 'triggers')).map(asMap);
  const crons = triggers.filter(({ type }) => type === 'cron').length;
  const remarks: string[] = [];
  const windows = triggers.flatMap((trigger, index): ImportedWindow[] => {
    const here = ['spec', 'triggers', index] as const;
    const problem =
      trigger.type === 'cron'
        ? cronProblem(asMap(trigger.metadata), Math.max(least, above), above)
        : otherTrigger(String(trigger.type));
    if (problem !== undefined) {
      ledger.leave(here, problem);
      return [];
    }
    ledger.takeFields(here, ['type', 'name']);
    const read = (key: string) => String(ledger.take(...here, 'metadata', key));
    const given = typeof trigger.name === 'string' && trigger.name !== '' ? trigger.name : undefined;
    const name = (given ?? (crons === 1 ? objectName : `${objectName}-${index + 1}`)).slice(0, 60);
    const requested = Number(read('desiredReplicas'));
    const window = {
      name,
      timezone: read('timezone'),
      start: unixCron(read('start')),
      end: unixCron(read('end')),
      desiredReplicas: Math.min(Math.max(requested, least), most),
    };
    remarks.push(...boundRemarks(name, requested, { least, most }), ...kedaDifference(window));
    return [window];
  });
  return { windows, remarks };
}

function boundRemarks(name: string, requested: number, { least, most }: Pick<KedaBounds, 'least' | 'most'>): string[] {
  const bound = requested > most ? `maxReplicaCount ${most}` : `minReplicaCount ${least}`;
  if (requested >= least && requested <= most) return [];
  const changed = requested > most ? 'cut' : 'raised';
  return [`KEDA ${changed} desiredReplicas ${requested} of ${name} to ${bound}; the import does the same`];
}

/** KEDA's parser treats `?` as `*`. */
function unixCron(text: string): string {
  return text.trim().replaceAll('?', '*');
}

function cronProblem(metadata: Values, least: number, above: number): string | undefined {
  const { timezone, start, end, desiredReplicas } = metadata;
  if (timezone === undefined || timezone === null) return 'timezone is missing; write the window by hand';
  if (!isTimezone(String(timezone)))
    return `timezone ${JSON.stringify(timezone)} is not an IANA time zone; write the window by hand`;
  for (const [key, text] of Object.entries({ start, end })) {
    if (typeof text !== 'string') return `${key} is missing; write the window by hand`;
    try {
      parseCron(unixCron(text));
    } catch (error) {
      return `${key} ${JSON.stringify(text)} ${(error as Error).message}`;
    }
  }
  if (start === end) return 'start and end are the same, so the window never opens in KEDA either';
  if (String(desiredReplicas) === '0')
    return 'asks for 0 pods, and KEDA refuses that; outside of the windows there is no headroom anyway';
  const wanted = Number(desiredReplicas);
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > MAX_REPLICAS)
    return `desiredReplicas ${JSON.stringify(desiredReplicas) ?? '(missing)'} is not a whole number from 1 to ${MAX_REPLICAS}`;
  return Math.max(wanted, least) > above
    ? undefined
    : `asks for no more pods than minReplicaCount ${above}, which run anyway`;
}

function otherTrigger(type: string): string {
  if (type === 'aws-cloudwatch') return 'is not a cron trigger; use alarms, with the metric and a threshold';
  if (/^aws-/.test(type)) return 'is not a cron trigger; create a CloudWatch alarm and use it under alarms';
  return 'is not a cron trigger; it keeps scaling the workload, and a CloudWatch alarm under alarms can add headroom for it';
}

/**
 * In KEDA a window is open while its next end comes before its next start. That equals
 * "from a start to the first end after it" only if starts and ends alternate.
 */
function kedaDifference({ name, start, end }: ImportedWindow): string[] {
  const { starts, ends } = repeats(start, end);
  const onDay7 = [start, end].some((text) => /(^|\D)7(\D|$)/.test(text.split(/\s+/)[4] ?? ''));
  return [
    ends &&
      `${name}: where two ends follow each other, KEDA stays open between them; here it is open from a start to the first end after it`,
    starts &&
      `${name}: where two starts follow each other, KEDA is closed between them; here it is open from the first of them`,
    onDay7 && `${name}: KEDA refuses day-of-week 7; here it is Sunday`,
  ].filter((text) => text !== false);
}

/** Whether two starts, or two ends, ever come in a row. */
function repeats(start: string, end: string): { starts: boolean; ends: boolean } {
  const [opens, closes] = [parseCron(start), parseCron(end)];
  const after = (cron: CronFields, at: number) => nextLocal(cron, at) ?? NEVER;
  const found = { starts: false, ends: false };
  let [nextStart, nextEnd, last] = [after(opens, FROM), after(closes, FROM), ''];
  for (let step = 0; step < MAX_STEPS && Math.min(nextStart, nextEnd) < FROM + YEAR; step += 1) {
    // At the same instant the start wins.
    const [isEnd, isBoth] = [nextEnd < nextStart, nextEnd === nextStart];
    const now = isEnd ? 'ends' : 'starts';
    if (now === last && !isBoth) found[now] = true;
    last = now;
    if (!isEnd) nextStart = after(opens, nextStart);
    if (isEnd || isBoth) nextEnd = after(closes, nextEnd);
  }
  return found;
}
