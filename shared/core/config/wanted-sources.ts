import type { InterruptionSource } from '../events/event-source';
import { INTERRUPTION_SOURCES } from '../events/interruption-causes';
import type { Config } from './config';

/** The notices that any NodePool of the config wants to hear of. */
export function wantedSources({ headrooms }: Config): readonly InterruptionSource[] {
  return INTERRUPTION_SOURCES.filter(({ cause }) =>
    headrooms.some(({ interruptions }) => interruptions?.on.includes(cause)),
  );
}
