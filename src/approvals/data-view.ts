import { isJsonObject, ownField, type Json, type JsonObject } from '../../core/base/json';
import { shownNumber } from '../../core/report/shown-number';
import { cellText, type ShownColumn, type ShownRows, shownRows } from '../../core/report/shown-rows';
import { markup, type Html } from '../pages/html';

const LONGEST = 20_000;
const LONG_CELL = 40;
/** A date or a time. It must not break at a hyphen. */
const DATE = /^\d{4}-\d\d(-\d\d([T ]\d\d:\d\d\S{0,20}( \S{1,6})?)?)?$/;
const NOTHING = markup`<span class="quiet">no value</span>`;

/** Objects as a table, everything else as JSON; an empty list is said to be empty. */
export function dataView(data: Json): Html {
  if (Array.isArray(data) && data.length === 0) return markup`<p class="quiet">No rows.</p>`;
  const rows = Array.isArray(data) ? data.filter(isJsonObject) : [];
  return Array.isArray(data) && rows.length > 0 && rows.length === data.length ? tableOf(rows) : textOf(data);
}

/**
 * Table of rows. A value that is the same in all rows is shown once: as a column it would push the others out of a
 * phone's view.
 */
function tableOf(rows: JsonObject[]): Html {
  const { columns, same } = shownRows(rows);
  const shown = columns.map((column) => ({ ...column, look: lookOf(rows, column) }));
  return markup`${sameOf(same, rows.length)}
${
  shown.length === 0
    ? undefined
    : markup`<div class="scroll" tabindex="0" role="region" aria-label="Rows"><table>
<thead><tr>${shown.map(({ name, look }) => markup`<th scope="col"${look}>${name}</th>`)}</tr></thead>
<tbody>${rows.map((row) => markup`<tr>${shown.map((column) => markup`<td${column.look}>${cellText(ownField(row, column.name), column)}</td>`)}</tr>`)}</tbody>
</table></div>`
}`;
}

function sameOf(same: ShownRows['same'], count: number): Html | undefined {
  if (same.length === 0) return undefined;
  return markup`<details open><summary>The same in each of the ${shownNumber(count)} rows</summary>
<dl>${same.map(({ name, text }) => markup`<dt>${name}</dt><dd${dateLook([text])}>${text === '' ? NOTHING : text}</dd>`)}</dl></details>`;
}

/** Numbers are aligned right, dates stay on one line; texts that would wrap at each word get room. */
function lookOf(rows: JsonObject[], column: ShownColumn): Html | undefined {
  if (column.numeric) return markup` class="number"`;
  const texts = rows.map((row) => cellText(ownField(row, column.name), column));
  return texts.some((text) => text.length > LONG_CELL) ? markup` class="long"` : dateLook(texts);
}

function dateLook(texts: readonly string[]): Html | undefined {
  const there = texts.filter((text) => text !== '');
  return there.length > 0 && there.every((text) => DATE.test(text)) ? markup` class="date"` : undefined;
}

/** A long text is cut, with a note; the API has the whole. */
export function textOf(data: Json): Html {
  const text = typeof data === 'string' ? data : JSON.stringify(data, null, 2);
  const cut = text.length > LONGEST ? `The first ${LONGEST} of ${text.length} characters.` : undefined;
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="Data"><pre>${text.slice(0, LONGEST)}</pre></div>
${cut === undefined ? undefined : markup`<p class="quiet">${cut}</p>`}`;
}
