import { mergeFrame } from './lib/merge-frame.js';

/** @import { Snapshot } from '../snapshot/snapshot' */

const RETRY_MS = 2_000;

/**
 * Follows the console's stream, and keeps trying when it breaks.
 * @param {(snapshot: Snapshot) => void} onSnapshot
 * @param {(state: 'connected' | 'lost') => void} onState
 */
export function followStream(onSnapshot, onState) {
  const connect = () => {
    /** @type {Snapshot | undefined} */
    let latest;
    const source = new EventSource('api/stream');
    source.onmessage = (event) => {
      latest = mergeFrame(latest, JSON.parse(event.data));
      onSnapshot(latest);
      onState('connected');
    };
    source.onerror = () => {
      onState('lost');
      // A browser retries a broken stream by itself, but not after an error response.
      source.close();
      setTimeout(connect, RETRY_MS);
    };
  };
  connect();
}
