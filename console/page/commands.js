import { notify } from './parts/toasts.js';

/** @import { Command } from '../snapshot/command' */

/**
 * Sends one command to the console and reports the result to the user.
 * @param {Command} command
 * @param {string} [done] the message on success; none if the page shows the effect anyway
 */
export async function send(command, done) {
  const { problem, note, dryRun } = await responseTo(command);
  if (problem !== undefined) notify(problem, 'bad');
  else if (done)
    notify(
      [dryRun ? `read-only, nothing was written; tried: ${done}` : done, ...(note ? [note] : [])].join('. '),
      note ? 'bad' : 'good',
    );
}

/** @param {Command} command @returns {Promise<{ problem?: string, note?: string, dryRun?: boolean }>} */
async function responseTo(command) {
  try {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch('api/command', { method: 'POST', headers, body: JSON.stringify(command) });
    const result = await response.json();
    if (!result.ok) return { problem: String(result.error ?? `the console responded with ${response.status}`) };
    return { dryRun: result.dryRun === true, ...(result.note !== undefined && { note: String(result.note) }) };
  } catch {
    return { problem: 'the console did not respond: is it still running?' };
  }
}
