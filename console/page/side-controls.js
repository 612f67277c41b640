import { byId, el, keyed, setAttribute, setText } from './dom.js';
import { percent } from './format.js';

/** @typedef {import('../snapshot/snapshot').Snapshot} Snapshot */
/** @typedef {import('../snapshot/snapshot').FaultsView} FaultsView */

/** @type {readonly { readonly key: keyof FaultsView, readonly label: string }[]} */
const FAULTS = [
  { key: 'lost', label: 'events lost' },
  { key: 'doubled', label: 'events doubled' },
  { key: 'late', label: 'events late' },
  { key: 'apiErrors', label: 'API errors' },
];

const ALL_OFF = { lost: 0, doubled: 0, late: 0, apiErrors: 0 };
const TENTH_EACH = { lost: 0.1, doubled: 0.1, late: 0.1, apiErrors: 0.1 };

/**
 * The panel of scenarios and the one of troubles.
 * @param {{
 *   scenario: (id: string, title: string) => void,
 *   take: () => void,
 *   storm: () => void,
 *   faults: (faults: FaultsView) => void,
 * }} actions
 */
export function createSideControls(actions) {
  const sliders = FAULTS.map((fault) => createSlider(fault, () => actions.faults(read(sliders))));
  byId('fault-sliders').append(...sliders.map(({ node }) => node));
  byId('take').addEventListener('click', actions.take);
  byId('storm').addEventListener('click', actions.storm);
  byId('faults-on').addEventListener('click', () => actions.faults(TENTH_EACH));
  byId('faults-off').addEventListener('click', () => actions.faults(ALL_OFF));

  return {
    /** @param {Snapshot} snapshot */
    update({ mode, scenario, scenarios, faults, nodes }) {
      for (const slider of sliders) slider.show(faults[slider.key]);
      setText(byId('faults-state'), faultWords(faults));
      setText(byId('story'), scenario?.story ?? '');
      const real = mode === 'cluster';
      setText(byId('take'), real ? 'Send a spot notice' : 'Take a spot node');
      setText(byId('storm'), real ? 'Notices for half of them' : 'Spot storm');
      setAttribute(byId('take'), 'disabled', !nodes.some((node) => node.spot && node.state === 'ready'));
      const choices = scenarios.map((choice) => ({ ...choice, chosen: choice.id === scenario?.id }));
      keyed(byId('scenarios'), choices, ({ id }) => id, createChoice(actions.scenario));
    },
  };
}

/** @param {(id: string, title: string) => void} choose */
function createChoice(choose) {
  return (/** @type {{ id: string, title: string, chosen: boolean }} */ { id, title }) => {
    const node = el(
      'button',
      { type: 'button', class: 'choice', 'data-scenario': id, click: () => choose(id, title) },
      title,
    );
    return {
      node,
      /** @param {{ chosen: boolean }} choice */
      update: ({ chosen }) => setAttribute(node, 'aria-pressed', chosen ? 'true' : 'false'),
    };
  };
}

/** @param {{ key: keyof FaultsView, label: string }} fault @param {() => void} onChange */
function createSlider({ key, label }, onChange) {
  const value = el('output', {}, percent(0));
  const input = el('input', { type: 'range', min: 0, max: 30, step: 5, value: 0, 'data-fault': key });
  input.addEventListener('input', () => setText(value, percent(input.valueAsNumber / 100)));
  input.addEventListener('change', onChange);
  return {
    key,
    node: el('label', { class: 'slider' }, el('span', {}, label), value, input),
    share: () => input.valueAsNumber / 100,
    /** @param {number} share */
    show(share) {
      if (input === document.activeElement && input.matches(':active')) return;
      const wanted = String(Math.round(share * 100));
      if (input.value !== wanted) input.value = wanted;
      setText(value, percent(share));
    },
  };
}

/** @param {readonly { key: keyof FaultsView, share: () => number }[]} sliders */
function read(sliders) {
  const faults = { ...ALL_OFF };
  for (const { key, share } of sliders) faults[key] = share();
  return faults;
}

/** @param {FaultsView} faults */
function faultWords(faults) {
  const on = FAULTS.filter(({ key }) => faults[key] > 0);
  return on.length === 0 ? 'off' : on.map(({ key, label }) => `${percent(faults[key])} ${label}`).join(', ');
}
