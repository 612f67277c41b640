import { repeat } from '/vendor/lit-html/directives/repeat.js';
import { html, nothing } from '/vendor/lit-html/lit-html.js';
import { counted, percent, span, waited } from '../lib/format.js';
import { icon } from '../lib/icons.js';

/** @import { NodeView, PodView } from '../../snapshot/snapshot' */
/** @typedef {{ readonly nodes: readonly NodeView[], readonly pods: ReadonlyMap<string, readonly PodView[]>, readonly pending: readonly PodView[] }} PoolContents */
/** @typedef {{ readonly now: number, readonly real: boolean, readonly many: boolean }} Scene */

/** More would be unreadable, and slow at 1000×; the rest is shown as a number. */
const MAX_PODS = 20;
const MAX_PENDING = 40;
const MAX_NODES = { alone: 60, oneOfMany: 8 };

/**
 * The nodes of one NodePool as tiles with their headroom and workload pods, and the pending pods.
 * @param {PoolContents} contents @param {Scene} scene @param {(node: string) => void} take
 */
export function nodeTiles({ nodes, pods, pending }, scene, take) {
  const most = scene.many ? MAX_NODES.oneOfMany : MAX_NODES.alone;
  const tiles = (nodes.length > most ? nodes.toSorted((a, b) => rank(a) - rank(b)) : nodes).slice(0, most);
  return html`<div class="pool-nodes">
    <div class="row pending" ?hidden=${pending.length === 0} data-short>
      <span class="note">${pendingText(pending)}</span>
      <div class="row pods">${podMarks(pending.slice(0, MAX_PENDING))}</div>
    </div>
    <ul class="tiles" aria-label="nodes" ?hidden=${nodes.length === 0}>
      ${repeat(tiles, nameOf, (node) => tile(node, pods.get(node.name) ?? [], scene, take))}
    </ul>
    <p class="note" ?hidden=${nodes.length <= most}>${counted(nodes.length, 'node')} in all</p>
  </div>`;
}

/** What comes and goes first. @param {NodeView} node */
const rank = ({ state }) => Number(state === 'ready');

const nameOf = (/** @type {{ name: string }} */ { name }) => name;

/** @param {readonly PodView[]} waiting */
function pendingText(waiting) {
  const real = waiting.filter(({ kind }) => kind === 'real');
  const headroom = waiting.length - real.length;
  const longest = Math.max(0, ...real.map(({ waitedMs }) => waitedMs));
  const parts = [
    ...(real.length > 0 ? [`${counted(real.length, 'pod')} pending, longest ${waited(longest)}`] : []),
    ...(headroom > 0 ? [`${counted(headroom, 'headroom pod')} pending`] : []),
  ];
  return parts.join(' · ');
}

/** @param {NodeView} node @param {readonly PodView[]} pods @param {Scene} scene @param {(node: string) => void} take */
function tile(node, pods, { now, real }, take) {
  const { name, state, since, zone, spot } = node;
  const ready = state === 'ready';
  const corner = ready ? zone.split('-').at(-1) : state === 'launching' ? span(now - since) : '';
  return html`<li class="tile" data-node=${name} data-state=${state} ?data-spot=${spot} aria-label=${tileText(node, pods)}>
    <div class="tile-head">
      <span class="tile-type">${node.instanceType}</span>
      ${spot && !real ? takeButton(node, take) : nothing}
    </div>
    <div class="row tile-body">
      <div class="row pods">${podMarks(pods.slice(0, MAX_PODS))}</div>
      <span class="pods-more">${pods.length > MAX_PODS ? `+${pods.length - MAX_PODS}` : nothing}</span>
      <span class="tile-state">${ready ? nothing : state}</span>
      ${spot ? html`<span class="tile-spot">spot</span>` : nothing}
    </div>
    <div class="tile-load" aria-hidden="true"><i .style=${`width: ${Math.round(Math.min(1, node.load) * 100)}%`}></i></div>
    <div class="tile-foot"><span class="tile-name" title=${name}>${name.split('.')[0]}</span><span class="tile-zone">${corner}</span></div>
  </li>`;
}

/** @param {NodeView} node @param {(node: string) => void} take */
const takeButton = ({ name, state }, take) =>
  html`<button type="button" class="button tile-take" aria-label="Interrupt spot node ${name}" title="Interrupt this spot node"
    ?disabled=${state !== 'ready'} @click=${() => take(name)}>${icon('take')}</button>`;

/** @param {NodeView} node @param {readonly PodView[]} pods */
function tileText({ name, instanceType, zone, spot, state, load }, pods) {
  const headroom = pods.filter(({ kind }) => kind === 'headroom').length;
  const kind = spot ? 'spot' : 'on-demand';
  return `${name}, ${instanceType} ${kind} in ${zone}, ${state}, ${counted(pods.length - headroom, 'pod')}, ${headroom} headroom, ${percent(load)} requested`;
}

/** @param {readonly PodView[]} pods */
const podMarks = (pods) =>
  repeat(pods, nameOf, ({ name, kind, state, waitedMs }) => {
    const text = `${name}: ${state}, waited ${waited(waitedMs)}`;
    return html`<i class="pod" data-kind=${kind} data-pod=${name} data-state=${state} title=${text}></i>`;
  });
