import { html } from '/vendor/lit-html/lit-html.js';
import { show } from '../lib/dom.js';

/** What the timelines draw, and the colour of each; lines are thinner than areas. */
const KEYS = [
  { text: 'in use', colour: 'used' },
  { text: 'free', colour: 'ready-fill' },
  { text: 'wanted', line: 'solid', colour: 'wanted' },
  { text: 'plan', line: 'dashed', colour: 'plan' },
  { text: 'would wait without headroom', line: 'solid', colour: 'warn', simulated: true },
  { text: 'window, after its lead time', colour: 'band-window' },
  { text: 'alarm boost', colour: 'band-boost' },
  { text: 'interruption surge', colour: 'band-surge' },
  { text: 'override', colour: 'band-override' },
];

export function showLegend() {
  const keys = KEYS.map(({ text, line = '', colour, simulated }) => {
    const style = `--key: var(--${colour})${line && `; border-top: 3px ${line} var(--key)`}`;
    return html`<li class=${simulated ? 'sandbox-only' : ''}><i class="key ${line && 'key-line'}" .style=${style}></i>${text}</li>`;
  });
  const pod = (/** @type {string} */ kind, /** @type {string} */ text) =>
    html`<li><i class="pod" data-kind=${kind} data-state="running"></i>${text}</li>`;
  show('legend', [...keys, pod('headroom', 'headroom pod'), pod('real', 'workload pod')]);
}
