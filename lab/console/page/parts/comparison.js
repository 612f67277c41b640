import { html } from '/vendor/lit-html/lit-html.js';
import { byId, show } from '../lib/dom.js';
import { money, waited } from '../lib/format.js';

/** @import { Snapshot } from '../../snapshot/snapshot' */
/** @typedef {NonNullable<Snapshot['comparison']>[number]} StrategyFigures */

/** @type {Readonly<Record<StrategyFigures['way'], string>>} */
const NAMES = { room: 'room', floor: 'floor', moreNodes: 'more nodes', none: 'no headroom' };

/** The same demand with each strategy, if the scenario compares them. @param {Snapshot} snapshot */
export function showComparison({ comparison }) {
  byId('comparison').hidden = comparison === undefined;
  show('comparison-rows', comparison?.map(row));
  show('comparison-same', sameText(comparison ?? []));
}

/** Why several rows show the same figures. @param {readonly StrategyFigures[]} comparison */
function sameText(comparison) {
  const shown = Object.fromEntries(comparison.map(({ way, ...figures }) => [way, JSON.stringify(figures)]));
  if (shown.floor === undefined || shown.floor !== shown.moreNodes) return '';
  if (comparison.every(({ waiting }) => waiting.pods === 0)) return 'The same so far: no window has opened.';
  return shown.room === shown.floor
    ? 'The same three times: slices stay slices.'
    : 'Floor and more nodes are the same here: when the windows opened, as many nodes ran as the floor is planned for.';
}

/** @param {StrategyFigures} figures */
const row = ({
  way: strategy,
  waiting,
  cost,
}) => html`<tr data-strategy=${strategy}><th scope="row">${NAMES[strategy]}</th>
  <td>${waiting.pods > 0 ? waited(waiting.medianMs) : '–'}</td>
  <td>${waiting.pods > 0 ? waited(waiting.worstMs) : '–'}</td>
  <td>${cost.nodeHours.toFixed(1)}</td>
  <td>${money(cost.total)}</td></tr>`;
