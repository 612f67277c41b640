import { html } from '/vendor/lit-html/lit-html.js';
import { byId, show } from '../lib/dom.js';
import { money, waited } from '../lib/format.js';

/** @typedef {import('../../snapshot/snapshot').Snapshot} Snapshot */
/** @typedef {NonNullable<Snapshot['comparison']>[number]} WayFigures */

/** @type {Readonly<Record<WayFigures['way'], string>>} */
const WAYS = { room: 'room', floor: 'floor', moreNodes: 'more nodes' };

/**
 * The same demand with each way to be ready for its peaks, where the scenario compares them.
 * @param {Snapshot} snapshot
 */
export function showComparison({ comparison }) {
  byId('comparison').hidden = comparison === undefined;
  show('comparison-rows', comparison?.map(row));
}

/** @param {WayFigures} figures */
const row = ({ way, waiting, cost }) => html`<tr data-way=${way}><th scope="row">${WAYS[way]}</th>
  <td>${waiting.pods > 0 ? waited(waiting.medianMs) : '–'}</td>
  <td>${waiting.pods > 0 ? waited(waiting.worstMs) : '–'}</td>
  <td>${cost.nodeHours.toFixed(1)}</td>
  <td>${money(cost.total)}</td></tr>`;
