import { html } from '/vendor/lit-html/lit-html.js';
import { show } from '../lib/dom.js';

/** @import { BandView, NodeView, PodView, PoolView } from '../../snapshot/snapshot' */
/** @typedef {{ pools: readonly PoolView[], nodes: readonly NodeView[], pods: readonly PodView[] }} Drawn What the unfolded cards show. */

const hasBand =
  (/** @type {BandView['kind']} */ kind) =>
  (/** @type {Drawn} */ { pools }) =>
    pools.some(({ bands }) => bands.some((band) => band.kind === kind));
const hasNode =
  (/** @type {NodeView['state']} */ state) =>
  (/** @type {Drawn} */ { nodes }) =>
    nodes.some((node) => node.state === state);
const hasPod =
  (/** @type {PodView['kind']} */ kind) =>
  (/** @type {Drawn} */ { pods }) =>
    pods.some((pod) => pod.kind === kind);

/** What may be drawn, the colour of each, and when it is; lines are thinner than areas. */
const KEYS = [
  { text: 'in use', style: area('used') },
  { text: 'free', style: area('ready-fill') },
  { text: 'wanted', style: line('solid', 'wanted') },
  { text: 'plan', style: line('dashed', 'plan') },
  {
    text: 'would wait without headroom',
    style: line('solid', 'warn'),
    isDrawn: (/** @type {Drawn} */ { pools }) =>
      pools.some(({ timeline }) => timeline.some((point) => point.wouldWait)),
  },
  {
    text: 'lead time',
    style: 'background: repeating-linear-gradient(135deg, var(--band-window) 0 1.5px, transparent 1.5px 4px)',
    isDrawn: hasBand('lead'),
  },
  { text: 'window', style: area('band-window'), isDrawn: hasBand('window') },
  { text: 'alarm boost', style: area('band-boost'), isDrawn: hasBand('boost') },
  { text: 'interruption surge', style: area('band-surge'), isDrawn: hasBand('surge') },
  { text: 'override', style: area('band-override'), isDrawn: hasBand('override') },
  { text: 'headroom pod', pod: 'headroom', isDrawn: hasPod('headroom') },
  { text: 'workload pod', pod: 'real', isDrawn: hasPod('real') },
  { text: 'node: bar is its requested CPU', style: 'height: 3px; background: var(--plan)', isDrawn: hasNode('ready') },
  { text: 'launching', style: 'border: 1px dashed var(--ready)', isDrawn: hasNode('launching') },
  {
    text: 'terminating',
    style: 'border: 1px solid var(--danger); background: var(--danger-soft)',
    isDrawn: hasNode('terminating'),
  },
];

/** @param {string} colour */
function area(colour) {
  return `background: var(--${colour})`;
}

/** @param {string} kind @param {string} colour */
function line(kind, colour) {
  return `height: 0; border-radius: 0; border-top: 3px ${kind} var(--${colour})`;
}

/** @param {Drawn} drawn */
export function showLegend(drawn) {
  const keys = drawn.pools.length === 0 ? [] : KEYS.filter(({ isDrawn }) => isDrawn?.(drawn) ?? true);
  const mark = (/** @type {typeof KEYS[number]} */ { style, pod }) =>
    pod ? html`<i class="pod" data-kind=${pod} data-state="running"></i>` : html`<i class="key" .style=${style}></i>`;
  show(
    'legend',
    keys.map((key) => html`<li>${mark(key)}${key.text}</li>`),
  );
}
