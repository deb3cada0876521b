import { isJsonObject, ownField, type Json, type JsonObject } from '../../core/base/json';
import { cellText, shownRows, type ShownColumn } from '../../core/report/shown-rows';
import { markup, type Html } from '../pages/html';

const LONGEST = 20_000;

/** Objects as a table, everything else as JSON. */
export function dataView(data: Json): Html {
  const rows = Array.isArray(data) ? data.filter(isJsonObject) : [];
  return Array.isArray(data) && rows.length > 0 && rows.length === data.length ? tableOf(rows) : textOf(data);
}

function tableOf(rows: JsonObject[]): Html {
  const { all } = shownRows(rows);
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="Rows"><table>
<thead><tr>${all.map((column) => markup`<th scope="col"${sideOf(column)}>${column.name}</th>`)}</tr></thead>
<tbody>${rows.map((row) => markup`<tr>${all.map((column) => cellOf(row, column))}</tr>`)}</tbody>
</table></div>`;
}

function cellOf(row: JsonObject, column: ShownColumn): Html {
  return markup`<td${sideOf(column)}>${cellText(ownField(row, column.name), column.name)}</td>`;
}

/** Digits stand below each other. */
function sideOf({ numeric }: ShownColumn): Html | undefined {
  return numeric ? markup` class="number"` : undefined;
}

/** A long text is cut, with a note; the API has the whole. */
export function textOf(data: Json): Html {
  const text = typeof data === 'string' ? data : JSON.stringify(data, null, 2);
  const cut = text.length > LONGEST ? `The first ${LONGEST} of ${text.length} characters.` : undefined;
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="Data"><pre>${text.slice(0, LONGEST)}</pre></div>
${cut === undefined ? undefined : markup`<p class="quiet">${cut}</p>`}`;
}
