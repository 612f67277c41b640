/** @typedef {import('../snapshot').Command} Command */

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
    const problem = await problemOf(command);
    if (problem !== undefined) notify(problem, 'bad');
    else if (done) notify(done, 'good');
    return problem === undefined;
  };
}

/**
 * @param {Command} command
 * @returns {Promise<string | undefined>}
 */
async function problemOf(command) {
  try {
    const response = await fetch('api/command', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(command),
    });
    const answer = await response.json();
    return answer.ok ? undefined : String(answer.error ?? `the console answered ${response.status}`);
  } catch {
    return 'the console did not answer: is the sandbox still running?';
  }
}
