import type { Random } from '../../../lab/simulator/deterministic/seeded-random';
import { DRAWN_APART, FAULT_KINDS, FaultCounts, type FaultKind } from './fault-kinds';

/** The highest probability of a kind at each opportunity. */
type Rates = Partial<Record<FaultKind, number>>;

/** What can go wrong with one call to the Kubernetes API. */
const CALL_RATES: Rates = {
  'process killed before a call': 0.012,
  'process killed during a call': 0.012,
  'request lost': 0.03,
  'response lost after the write': 0.09,
  'write that took effect after its time-out': 0.06,
  '401': 0.03,
  '409': 0.1,
  '410 in the middle of a list': 0.15,
  '429': 0.06,
  '5xx': 0.06,
  '5xx after the write': 0.08,
  'response unreadable': 0.04,
  'slow page': 0.05,
  'process killed while it counts nodes': 0.3,
};
export type CallFault = keyof typeof CALL_RATES & FaultKind;

const EVENT_RATES: Rates = {
  'event lost': 0.2,
  'event doubled': 0.2,
  'event late': 0.2,
  'event malformed': 0.3,
  'event dated ahead': 0.4,
};

const OTHER_RATES: Rates = {
  'process killed before its answer': 0.08,
  'connection dead after sleep': 0.5,
  'alarms not readable': 0.15,
  'NodeClaims not readable': 0.1,
  'live schedules not readable': 0.15,
  'clock skewed': 0.5,
  'clock wrong by hours': 0.15,
};

const RATES: Rates = { ...CALL_RATES, ...EVENT_RATES, ...OTHER_RATES };
const CALL_FAULTS = Object.keys(CALL_RATES) as readonly CallFault[];

/**
 * Which faults a scenario has and how often. Each scenario leaves out about half of the kinds, because a fault
 * that is always present can mask the effect of another.
 */
export class FaultPlan {
  readonly counts = new FaultCounts();
  private rates: ReadonlyMap<FaultKind, number>;

  constructor(
    private readonly random: Random,
    private readonly onFault: (kind: FaultKind) => void = () => {},
  ) {
    const severity = 0.3 + random() * 0.7;
    this.rates = new Map(
      FAULT_KINDS.filter((kind) => !DRAWN_APART.includes(kind)).map((kind) => [
        kind,
        random() < 0.5 ? 0 : (RATES[kind] ?? 0) * severity * (0.5 + random() / 2),
      ]),
    );
  }

  /** Stops all faults. */
  end(): void {
    this.rates = new Map();
  }

  /** Draws whether the fault happens now, and counts it if so. */
  happens(kind: FaultKind): boolean {
    const rate = this.rates.get(kind) ?? 0;
    if (rate === 0 || this.random() >= rate) return false;
    this.counts.add(kind);
    this.onFault(kind);
    return true;
  }

  /** Draws the fault of a call from those that are possible; the caller counts it. */
  callFault(isPossible: (kind: CallFault) => boolean): CallFault | undefined {
    let draw = this.random();
    for (const kind of CALL_FAULTS) {
      const rate = this.rates.get(kind) ?? 0;
      if (rate === 0 || !isPossible(kind)) continue;
      if (draw < rate) return kind;
      draw -= rate;
    }
    return undefined;
  }
}
