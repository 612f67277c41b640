import { parseDuration } from '../../basics/duration';
import { DEFAULTS } from './defaults';

/** The bounds of a learned lead time as they are written. */
export interface WrittenBounds {
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly start?: string | undefined;
}

export interface LeadBounds {
  readonly min: number;
  readonly max: number;
  readonly start: number;
}

/** In seconds; a default gives way to what is written. */
export function leadBounds(written: WrittenBounds): LeadBounds {
  const { autoLead } = DEFAULTS;
  const secondsOf = (key: keyof LeadBounds) => {
    const text = written[key];
    return text === undefined ? undefined : parseDuration(text);
  };
  const [least, most, first] = [secondsOf('min'), secondsOf('max'), secondsOf('start')];
  const max = most ?? Math.max(seconds(autoLead.max), least ?? 0, first ?? 0);
  const min = least ?? Math.min(seconds(autoLead.min), max, first ?? max);
  return { min, max, start: first ?? Math.min(Math.max(seconds(autoLead.start), min), max) };
}

function seconds(text: string): number {
  return parseDuration(text) ?? 0;
}
