import type { AlarmState } from '../../../shared/core/events/event';
import type { AlarmReading, AlarmStates } from '../../../shared/core/ports/ports';
import type { AlarmChange } from './aws-events';

export class AlarmTable implements AlarmStates {
  private alarms = new Map<string, AlarmReading>();

  /** Replaces the set of known alarms; new ones start as OK. */
  watch(alarmNames: readonly string[], at: number): void {
    this.alarms = new Map(alarmNames.map((name) => [name, this.alarms.get(name) ?? { state: 'OK', at }]));
  }

  /** Changes an alarm's state; `undefined` if it is in that state already. */
  set(alarmName: string, state: AlarmState, at: number): AlarmChange | undefined {
    const before = this.alarms.get(alarmName);
    if (!before) throw new Error(`alarm ${JSON.stringify(alarmName)} is not in the config; ${this.known()}`);
    if (before.state === state) return undefined;
    this.alarms.set(alarmName, { state, at });
    return { alarmName, state, previous: before.state, at, previousAt: before.at };
  }

  isFiring(alarmName: string): boolean {
    return this.alarms.get(alarmName)?.state === 'ALARM';
  }

  async read(alarmNames: readonly string[]): Promise<ReadonlyMap<string, AlarmReading>> {
    return new Map([...this.alarms].filter(([name]) => alarmNames.includes(name)));
  }

  private known(): string {
    return this.alarms.size === 0 ? 'it names none' : `write one of ${[...this.alarms.keys()].join(', ')}`;
  }
}
