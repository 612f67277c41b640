import { el, keyed, setAttribute, setShown, setText } from './dom.js';
import { counted, percent, span, waited } from './format.js';
import { icon } from './icons.js';

/** @typedef {import('../snapshot/snapshot').NodeView} NodeView */
/** @typedef {import('../snapshot/snapshot').PodView} PodView */
/** @typedef {{ readonly nodes: readonly NodeView[], readonly pods: ReadonlyMap<string, readonly PodView[]>, readonly pending: readonly PodView[] }} PoolContents */

/** More would be a blur, and cost time at 1000×; the rest is a number. */
const MAX_PODS = 20;
const MAX_PENDING = 40;
const MAX_NODES = 60;

/**
 * The nodes of one NodePool as tiles that fill with headroom and real pods, and the pods that wait for a place.
 * @param {(node: string) => void} take
 */
export function createNodeTiles(take) {
  const pending = el('div', { class: 'pods pods-pending' });
  const pendingWords = el('span', { class: 'note' });
  const lane = el('div', { class: 'pending' }, pendingWords, pending);
  const tiles = el('ul', { class: 'tiles', 'aria-label': 'nodes' });
  const more = el('p', { class: 'note', hidden: true });
  const node = el('div', { class: 'pool-nodes' }, lane, tiles, more);

  return {
    node,
    /** @param {PoolContents} contents @param {number} now */
    update(contents, now) {
      const waiting = contents.pending;
      setAttribute(lane, 'data-short', waiting.length > 0);
      setText(pendingWords, pendingText(waiting));
      keyed(pending, waiting.slice(0, MAX_PENDING), ({ name }) => name, createPod);
      const shown = contents.nodes.slice(0, MAX_NODES).map((view) => ({
        view,
        pods: contents.pods.get(view.name) ?? [],
        now,
      }));
      keyed(tiles, shown, ({ view }) => view.name, createTile(take));
      setShown(more, contents.nodes.length > MAX_NODES);
      setText(more, `and ${contents.nodes.length - MAX_NODES} more nodes`);
    },
  };
}

/** @param {readonly PodView[]} waiting */
function pendingText(waiting) {
  const real = waiting.filter(({ kind }) => kind === 'real');
  const headroom = waiting.length - real.length;
  const longest = Math.max(0, ...real.map(({ waitedMs }) => waitedMs));
  const parts = [
    ...(real.length > 0 ? [`${counted(real.length, 'pod')} waiting, the longest ${waited(longest)}`] : []),
    ...(headroom > 0 ? [`${headroom} headroom waiting for a node`] : []),
  ];
  return parts.join(' · ') || 'no pod waits for a node';
}

/** @typedef {{ view: NodeView, pods: readonly PodView[], now: number }} Tile */

/** @param {(node: string) => void} take */
function createTile(take) {
  return (/** @type {Tile} */ { view: { name, instanceType, zone, spot } }) => {
    const pods = el('div', { class: 'pods' });
    const more = el('span', { class: 'pods-more' });
    const load = el('i', {});
    const state = el('span', { class: 'tile-zone' });
    const status = el('span', { class: 'tile-state' });
    const button = el(
      'button',
      {
        type: 'button',
        class: 'tile-take',
        'aria-label': `Take spot node ${name} away`,
        title: 'Take it away',
      },
      icon('take'),
    );
    button.addEventListener('click', () => take(name));
    const node = el(
      'li',
      { class: 'tile', 'data-node': name, 'data-spot': spot },
      el(
        'div',
        { class: 'tile-head' },
        el('span', { class: 'tile-type' }, instanceType),
        ...(spot ? [el('span', { class: 'tile-spot' }, 'spot'), button] : []),
      ),
      el('div', { class: 'tile-body' }, pods, more, status),
      el('div', { class: 'tile-load', 'aria-hidden': 'true' }, load),
      el(
        'div',
        { class: 'tile-foot' },
        el('span', { class: 'tile-name', title: name }, name.split('.')[0] ?? name),
        state,
      ),
    );
    return {
      node,
      /** @param {Tile} tile */
      update({ view, pods: placed, now }) {
        setAttribute(node, 'data-state', view.state);
        setAttribute(button, 'disabled', view.state !== 'ready');
        setText(status, view.state === 'ready' ? '' : view.state);
        setText(state, view.state === 'ready' ? (zone.split('-').at(-1) ?? zone) : stateText(view, now));
        keyed(pods, placed.slice(0, MAX_PODS), ({ name: pod }) => pod, createPod);
        setText(more, placed.length > MAX_PODS ? `+${placed.length - MAX_PODS}` : '');
        const width = percent(Math.min(1, view.load)).replace(' ', '');
        if (load.style.width !== width) load.style.width = width;
        setAttribute(node, 'aria-label', tileWords(view, placed));
      },
    };
  };
}

/** @param {NodeView} node @param {number} now */
function stateText({ state, since }, now) {
  return state === 'launching' ? span(now - since) : '';
}

/** @param {NodeView} node @param {readonly PodView[]} pods */
function tileWords({ name, instanceType, zone, spot, state, load }, pods) {
  const headroom = pods.filter(({ kind }) => kind === 'headroom').length;
  const kind = spot ? 'spot' : 'on-demand';
  return `${name}, ${instanceType} ${kind} in ${zone}, ${state}, ${counted(pods.length - headroom, 'pod')}, ${headroom} headroom, ${percent(load)} requested`;
}

/** @param {PodView} pod */
function createPod({ name, kind }) {
  const node = el('i', { class: 'pod', 'data-kind': kind, 'data-pod': name });
  return {
    node,
    /** @param {PodView} pod */
    update({ state, waitedMs }) {
      setAttribute(node, 'data-state', state);
      setAttribute(node, 'title', `${name}: ${state}, waited ${waited(waitedMs)}`);
    },
  };
}
