import { html } from '/vendor/lit-html/lit-html.js';
import { byId, show } from '../lib/dom.js';
import { money, waited } from '../lib/format.js';

/** @typedef {import('../../snapshot/snapshot').Snapshot} Snapshot */
/** @typedef {NonNullable<Snapshot['comparison']>[number]} StrategyFigures */

/** @type {Readonly<Record<StrategyFigures['way'], string>>} */
const NAMES = { room: 'room', floor: 'floor', moreNodes: 'more nodes', none: 'no headroom' };

/**
 * The same demand with each strategy, if the scenario compares them.
 * @param {Snapshot} snapshot
 */
export function showComparison({ comparison }) {
  byId('comparison').hidden = comparison === undefined;
  show('comparison-rows', comparison?.map(row));
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
