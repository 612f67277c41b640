import { notify } from './parts/toasts.js';

/** @import { Command } from '../snapshot/page-command' */

/**
 * Sends one command to the console and reports the result to the user.
 * @param {Command} command
 * @param {string} [done] the message on success; none if the page shows the effect anyway
 */
export async function send(command, done) {
  if (document.body.dataset.connection === 'lost') return notify('disconnected: nothing was sent', 'bad');
  const { problem, note, size } = await responseTo(command);
  if (problem !== undefined) notify(problem, 'bad');
  else if (done) notify([size ? `${done}: ${size}` : done, ...(note ? [note] : [])].join('. '), note ? 'bad' : 'good');
}

/** @param {Command} command @returns {Promise<{ problem?: string, note?: string, size?: string }>} */
async function responseTo(command) {
  try {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch('api/command', { method: 'POST', headers, body: JSON.stringify(command) });
    const result = await response.json();
    if (!result.ok) return { problem: String(result.error ?? `the console responded with ${response.status}`) };
    return result.decisions ? outcomeOf(result.decisions) : { ...(result.note && { note: String(result.note) }) };
  } catch {
    return { problem: 'the console did not respond: is it still running?' };
  }
}

/**
 * What an override led to; one that changed nothing is a problem.
 * @param {readonly import('../../../shared/core/respond').OverrideDecision[]} decisions
 */
function outcomeOf([decision]) {
  if (!decision) return { problem: 'the override had no effect: no NodePool was decided' };
  const { from, replicas, supersededBy } = decision;
  const size = from === replicas ? `already ${replicas}` : `${from} → ${replicas}`;
  return { size, ...(supersededBy && { note: 'Not in force: a newer override or release applies' }) };
}
