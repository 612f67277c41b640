import type { Config } from '../../../shared/core/config/config';
import { count } from '../../../shared/drawing/amounts';
import type { Read } from '../../kube/read';
import { plainAll } from '../../terminal/plain';
import { painter, type Terminal } from '../../terminal/terminal';
import { wrapAfter } from '../../terminal/wrap';
import type { AlarmFacts, DeployedFacts, QueueFacts } from './deployed-facts';

/** One check of a trial; `unknown` if it could not be made. */
export interface TrialCheck {
  readonly what: string;
  readonly result: 'ok' | 'failed' | 'unknown';
  readonly detail: string;
}

export interface TrialReport {
  readonly headroom: string;
  readonly cluster: string;
  readonly region: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly checks: readonly TrialCheck[];
  readonly cost: string;
}

const LABELS = { ok: 'ok', failed: 'FAILED', unknown: 'unknown' } as const;
const COLOURS = { ok: 'green', failed: 'red', unknown: 'yellow' } as const;

export function drawReport(report: TrialReport, { width, colours }: Pick<Terminal, 'width' | 'colours'>): string {
  const paint = painter({ colours });
  const title = `trial of ${report.headroom} on ${report.cluster} in ${report.region}, ${report.startedAt} to ${report.endedAt}`;
  const longest = Math.max(...report.checks.map(({ what }) => what.length));
  const lines = report.checks.flatMap(({ what, result, detail }) => {
    const head = `  ${LABELS[result].padEnd(7)}  ${what.padEnd(longest)}  `;
    const [first = '', ...others] = wrapAfter(head, ' '.repeat(13), detail, width);
    return [paint(COLOURS[result], first), ...others];
  });
  const failed = report.checks.filter(({ result }) => result === 'failed').length;
  const unknown = report.checks.filter(({ result }) => result === 'unknown').length;
  const verdict =
    failed > 0
      ? `${count(failed, 'check')} failed`
      : unknown > 0
        ? `it works, as far as it could be checked: ${unknown} unknown`
        : 'it works';
  return `${[...wrapAfter('', '  ', title, width), ...lines, ...wrapAfter('  ', '  ', report.cost, width), verdict].join('\n')}\n`;
}

const PUT_AGAIN =
  'EventBridge keeps an event as it was sent: if one is an announcement, put it again, because a redrive does not bring it back';

export function deployedChecks(
  { alarms, deadLetters }: Pick<DeployedFacts, 'alarms' | 'deadLetters'>,
  { headrooms }: Pick<Config, 'headrooms'>,
): TrialCheck[] {
  const isAnnounced = headrooms.some(({ events }) => events);
  const judged = (queues: readonly QueueFacts[]) => deadLettersCheck(queues, isAnnounced);
  return [check('alarms', alarms, alarmsCheck), check('dead letters', deadLetters, judged)];
}

function check<T>(what: string, found: Read<T>, judge: (value: T) => Omit<TrialCheck, 'what'>): TrialCheck {
  return found.ok ? { what, ...judge(found.value) } : { what, result: 'unknown', detail: found.why };
}

function alarmsCheck(alarms: readonly AlarmFacts[]): Omit<TrialCheck, 'what'> {
  const firing = alarms.filter(({ state }) => state === 'ALARM');
  if (alarms.length === 0) return { result: 'failed', detail: 'CloudWatch has none of the alarms of this stack' };
  if (firing.length > 0)
    return {
      result: 'failed',
      detail: plainAll(firing.map(({ name, reason }) => `${name} is in ALARM: ${reason}`).join('; ')),
    };
  return { result: 'ok', detail: `${count(alarms.length, 'alarm')} on Headstart itself, none in ALARM` };
}

function deadLettersCheck(queues: readonly QueueFacts[], isAnnounced: boolean): Omit<TrialCheck, 'what'> {
  const full = queues.filter(({ messages }) => messages > 0);
  if (full.length > 0)
    return {
      result: 'failed',
      detail: [
        ...full.map(({ name, messages }) => `${count(messages, 'message')} in ${name}`),
        ...(isAnnounced && full.some(({ name }) => name.includes('Failures')) ? [PUT_AGAIN] : []),
      ].join('; '),
    };
  return { result: 'ok', detail: `${count(queues.length, 'queue')}, all empty` };
}
