import { MAX_REPLICAS } from '../../shared/core/config/fields';
import { asList, asMap, type Values } from '../../shared/core/config/untyped';
import { parseCron } from '../../shared/core/windows/cron';
import { isTimezone } from '../../shared/core/windows/zone';
import type { Ledger } from './ledger';

/** A cron trigger; its size is in pods. */
export interface ImportedWindow {
  readonly name: string;
  readonly timezone: string;
  readonly start: string;
  readonly end: string;
  desiredReplicas: number;
}

/** The cron triggers of a ScaledObject that ask for more pods than always run. */
export function windowsOf(ledger: Ledger, objectName: string, always: number): ImportedWindow[] {
  const triggers = asList(ledger.peek('spec', 'triggers')).map(asMap);
  const crons = triggers.filter(({ type }) => type === 'cron').length;
  return triggers.flatMap((trigger, index): ImportedWindow[] => {
    const here = ['spec', 'triggers', index] as const;
    if (trigger.type !== 'cron') {
      ledger.leave(here, otherTrigger(String(trigger.type)));
      return [];
    }
    const problem = cronProblem(asMap(trigger.metadata), always);
    if (problem !== undefined) {
      ledger.leave(here, problem);
      return [];
    }
    ledger.take(...here, 'type');
    ledger.take(...here, 'name');
    const read = (key: string) => String(ledger.take(...here, 'metadata', key));
    const given = typeof trigger.name === 'string' ? trigger.name : undefined;
    return [
      {
        name: (given ?? (crons === 1 ? objectName : `${objectName}-${index + 1}`)).slice(0, 60),
        timezone: read('timezone'),
        start: unixCron(read('start')),
        end: unixCron(read('end')),
        desiredReplicas: Number(read('desiredReplicas')),
      },
    ];
  });
}

/** KEDA's parser reads `?` as `*`. */
function unixCron(text: string): string {
  return text.replaceAll('?', '*');
}

function cronProblem({ timezone, start, end, desiredReplicas }: Values, always: number): string | undefined {
  if (!isTimezone(String(timezone)))
    return `timezone ${JSON.stringify(timezone)} is not an IANA time zone; write the window by hand`;
  for (const [key, text] of Object.entries({ start, end })) {
    try {
      parseCron(unixCron(String(text)));
    } catch (error) {
      return `${key} ${JSON.stringify(text)} ${(error as Error).message}`;
    }
  }
  if (start === end) return 'start and end are the same, so the window never opens in KEDA either';
  const wanted = Number(desiredReplicas);
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > MAX_REPLICAS)
    return `desiredReplicas ${JSON.stringify(desiredReplicas)} is not a whole number from 1 to ${MAX_REPLICAS}`;
  return wanted > always ? undefined : `asks for no more pods than minReplicaCount ${always}, which run anyway`;
}

function otherTrigger(type: string): string {
  if (type === 'aws-cloudwatch') return 'is not a cron trigger; use alarms, with the metric and a threshold';
  if (/^aws-/.test(type)) return 'is not a cron trigger; create a CloudWatch alarm and use it under alarms';
  return 'is not a cron trigger; it keeps scaling the workload, and a CloudWatch alarm under alarms can add headroom for it';
}
