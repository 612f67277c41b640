import { CLEAR_LINE } from '../../cli/terminal/plain';
import type { Terminal } from '../../cli/terminal/terminal';
import { durationText } from '../../shared/core/basics/duration';

/** A shorter run is over before anybody reads it. */
const QUIET_MS = 1_000;

/** Shows how much is done, and how long the rest takes at this pace; a share of 1 clears the line. */
export function progressOf(terminal: Terminal, doing: string): (share: number) => void {
  const began = terminal.now();
  let shown = false;
  return (share) => {
    const spent = terminal.now() - began;
    if (!terminal.redraws || (spent < QUIET_MS && !shown)) return;
    const left = Math.ceil((spent / Math.max(share, 1e-6) - spent) / 1_000);
    const text = share >= 1 ? '' : `${doing}: ${Math.floor(share * 100)} %, about ${durationText(left)} left`;
    terminal.err(`${CLEAR_LINE}${text}`);
    shown = true;
  };
}
