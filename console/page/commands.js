/** @typedef {import('../snapshot/snapshot').Command} Command */

/**
 * Sends one command to the sandbox and tells the user how it went.
 * @param {(text: string, kind: 'good' | 'bad') => void} notify
 */
export function createCommands(notify) {
  /**
   * @param {Command} command
   * @param {string} [done] what to say when it worked; nothing where the page shows it anyway
   */
  return async function send(command, done) {
    const { problem, note } = await answerTo(command);
    if (problem !== undefined) notify(problem, 'bad');
    else if (done) notify(note ? `${done} (${note})` : done, 'good');
  };
}

/**
 * @param {Command} command
 * @returns {Promise<{ problem?: string, note?: string }>}
 */
async function answerTo(command) {
  try {
    const response = await fetch('api/command', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(command),
    });
    const answer = await response.json();
    if (!answer.ok) return { problem: String(answer.error ?? `the console answered ${response.status}`) };
    return answer.note === undefined ? {} : { note: String(answer.note) };
  } catch {
    return { problem: 'the console did not answer: is it still running?' };
  }
}
