import type { HeadroomConfig } from '../../../shared/core/config/config';
import { boostUntil } from '../../../shared/core/record/additions';
import { entryOf, type HeadroomRecord } from '../../../shared/core/record/record';
import { endsOf, startsOf } from '../../../shared/core/windows/edges';
import { leadOf, type Window } from '../../../shared/core/windows/window';
import { overrideSize } from '../../../shared/drawing/size-text';
import type { BandView } from './snapshot';

const MAX_PER_WINDOW = 60;
const MAX_REMEMBERED = 40;

export function windowBands(
  { windows, leadMinutes }: HeadroomConfig,
  from: number,
  to: number,
  leadFor = (window: Window) => leadOf(window, leadMinutes),
): readonly BandView[] {
  return windows.flatMap((window) => {
    const lead = leadFor(window) * 60_000;
    const [starts, ends] = [startsOf(window), endsOf(window)];
    const label = window.relative ? `${window.name} +${window.replicas}` : window.name;
    const bands: BandView[] = [];
    let start = starts.previous(from) ?? starts.next(from);
    while (start !== undefined && start - lead < to && bands.length < MAX_PER_WINDOW) {
      const end = ends.next(start);
      if (end === undefined || end > from) {
        if (lead > 0) bands.push({ kind: 'lead', label, from: start - lead, to: start });
        bands.push({ kind: 'window', label, from: start, ...(end !== undefined && { to: end }) });
      }
      start = end === undefined ? undefined : starts.next(Math.max(start, end - 1));
    }
    return bands;
  });
}

/** The bands of alarm boosts, interruption surges and overrides; ended ones stay on the timeline. */
export class RecordBands {
  private readonly bands = new Map<string, BandView>();

  observe(pool: HeadroomConfig, record: HeadroomRecord, now: number): void {
    const current = new Map(this.current(pool, record, now));
    for (const [key, band] of this.bands) {
      // It was released or ended early.
      if (!current.has(key) && (band.to === undefined || band.to > now)) this.bands.set(key, { ...band, to: now });
    }
    for (const [key, band] of current) this.bands.set(key, band);
    const tooMany = [...this.bands.keys()].slice(0, Math.max(0, this.bands.size - MAX_REMEMBERED));
    for (const key of tooMany) this.bands.delete(key);
  }

  since(from: number): readonly BandView[] {
    return [...this.bands.values()].filter(({ to }) => to === undefined || to > from);
  }

  private *current(pool: HeadroomConfig, record: HeadroomRecord, now: number): Generator<[string, BandView]> {
    for (const alarm of pool.alarms) {
      const known = entryOf(record.alarms, alarm.alarmName);
      const until = known && boostUntil(alarm, known);
      if (known && until !== undefined && until > now) yield this.boost(alarm.name, known, until);
    }
    for (const [instanceId, { cause, until }] of Object.entries(record.surges)) {
      const key = `surge ${instanceId}`;
      const from = this.bands.get(key)?.from ?? now;
      if (until > now) yield [key, { kind: 'surge', label: `${cause} ${instanceId}`, from, to: until }];
    }
    const { override } = record;
    if (override && override.until > now) {
      const { at: from, until: to } = override;
      yield [`override ${from}`, { kind: 'override', label: overrideSize(override), from, to }];
    }
  }

  /** One band from the alarm's start to the end of its hold. */
  private boost(name: string, known: { state: string; at: number }, until: number): [string, BandView] {
    const open = [...this.bands].findLast(([, band]) => band.kind === 'boost' && band.label === name);
    const running = open && (open[1].to === undefined || open[1].to >= known.at);
    const [key, from] = running ? [open[0], open[1].from] : [`boost ${name} ${known.at}`, known.at];
    return [key, { kind: 'boost', label: name, from, ...(until < Number.POSITIVE_INFINITY && { to: until }) }];
  }
}
