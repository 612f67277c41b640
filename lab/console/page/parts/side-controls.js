import { html } from '/vendor/lit-html/lit-html.js';
import { byId, show } from '../lib/dom.js';
import { percent } from '../lib/format.js';

/** @import { Snapshot } from '../../snapshot/snapshot' */
/** @typedef {import('../../snapshot/snapshot').Snapshot['faults']} Faults */

/** @type {readonly { readonly key: keyof Faults, readonly label: string }[]} */
const FAULTS = [
  { key: 'lost', label: 'events lost' },
  { key: 'doubled', label: 'events duplicated' },
  { key: 'late', label: 'events delayed' },
  { key: 'apiErrors', label: 'API errors' },
];

const allAt = (/** @type {number} */ share) => ({ lost: share, doubled: share, late: share, apiErrors: share });

/**
 * The panel of scenarios and the one that injects failures.
 * @param {{
 *   scenario: (id: string, title: string) => void,
 *   take: () => void,
 *   storm: () => void,
 *   faults: (faults: Faults) => void,
 * }} actions
 */
export function createSideControls(actions) {
  byId('take').addEventListener('click', actions.take);
  byId('storm').addEventListener('click', actions.storm);
  byId('faults-on').addEventListener('click', () => actions.faults(allAt(0.1)));
  byId('faults-off').addEventListener('click', () => actions.faults(allAt(0)));

  return {
    /** @param {Snapshot} snapshot */
    update({ scenario, scenarios, faults, nodes }) {
      show('faults-state', faultText(faults));
      show('description', scenario?.description);
      show('take', 'Interrupt a spot node');
      show('storm', 'Interrupt half');
      byId('take').toggleAttribute('disabled', !nodes.some((node) => node.spot && node.state === 'ready'));
      const choices = scenarios.map(
        ({ id, title }) => html`<button type="button" class="button choice" data-scenario=${id}
          aria-pressed=${id === scenario?.id} @click=${() => actions.scenario(id, title)}>${title}</button>`,
      );
      show('scenarios', choices);
      const sliders = FAULTS.map(({ key, label }) => slider(key, label, faults, actions.faults));
      show('fault-sliders', sliders);
    },
  };
}

/** @param {keyof Faults} key @param {string} label @param {Faults} faults @param {(faults: Faults) => void} send */
function slider(key, label, faults, send) {
  const share = (/** @type {Event} */ { target }) => /** @type {HTMLInputElement} */ (target).valueAsNumber / 100;
  const draft = (/** @type {InputEvent} */ event) => {
    const { previousElementSibling } = /** @type {Element} */ (event.target);
    /** @type {HTMLOutputElement} */ (previousElementSibling).value = percent(share(event));
  };
  return html`<label class="slider"><span>${label}</span><output .value=${percent(faults[key])}></output>
    <input type="range" min="0" max="30" step="5" data-fault=${key} .value=${String(Math.round(faults[key] * 100))}
      @input=${draft} @change=${(/** @type {Event} */ event) => send({ ...faults, [key]: share(event) })}></label>`;
}

/** @param {Faults} faults */
function faultText(faults) {
  const on = FAULTS.filter(({ key }) => faults[key] > 0);
  return on.length === 0 ? 'off' : on.map(({ key, label }) => `${percent(faults[key])} ${label}`).join(', ');
}
