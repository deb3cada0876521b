import { isJsonObject, ownField, type Json, type JsonObject } from '../../core/base/json';
import { markup, type Html } from '../pages/html';

const MOST_ROWS = 100;
const MOST_COLUMNS = 20;
const LONGEST = 20_000;

/** Rows as a table, everything else as JSON. Too much of it is cut, and says so: the whole of it has the API. */
export function dataView(data: Json): Html {
  const rows = Array.isArray(data) ? data.filter(isJsonObject) : [];
  const flat = Array.isArray(data) && rows.length > 0 && rows.length === data.length && rows.every(isFlat);
  return flat ? tableOf(rows) : textOf(data);
}

function isFlat(row: JsonObject): boolean {
  return Object.values(row).every((value) => typeof value !== 'object' || value === null);
}

function tableOf(rows: readonly JsonObject[]): Html {
  const shown = rows.slice(0, MOST_ROWS);
  const columns = [...new Set(shown.flatMap((row) => Object.keys(row)))].slice(0, MOST_COLUMNS);
  const cut = rows.length > shown.length ? `The first ${shown.length} of ${rows.length} rows.` : undefined;
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="Rows"><table>
<thead><tr>${columns.map((name) => markup`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${shown.map((row) => markup`<tr>${columns.map((name) => markup`<td>${cellOf(ownField(row, name))}</td>`)}</tr>`)}</tbody>
</table></div>
${cut === undefined ? undefined : markup`<p class="quiet">${cut}</p>`}`;
}

function cellOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function textOf(data: Json): Html {
  const text = typeof data === 'string' ? data : JSON.stringify(data, null, 2);
  const cut = text.length > LONGEST ? `The first ${LONGEST} of ${text.length} characters.` : undefined;
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="Data"><pre>${text.slice(0, LONGEST)}</pre></div>
${cut === undefined ? undefined : markup`<p class="quiet">${cut}</p>`}`;
}
