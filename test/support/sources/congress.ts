import { constructed, grown, numberIn, recorded, type Row } from './material';
import { DATA_GOV, json, type Route, type Source, type SourceAnswer, type SourceRequest } from './source';

const API = 'api.congress.gov/v3';
const BILLS = 610;

/** A list with `offset` and `limit`, and the address of the next page without the key. */
function paged(name: string, rows: readonly Row[], request: SourceRequest): SourceAnswer {
  const { query, here, address } = request;
  const limit = Math.min(numberIn(query, 'limit', 20), 250);
  const offset = numberIn(query, 'offset', 0);
  const next = new URLSearchParams({ offset: String(offset + limit), limit: String(limit), format: 'json' });
  const more = offset + limit < rows.length;
  return json({
    [name]: rows.slice(offset, offset + limit),
    pagination: {
      count: rows.length,
      ...(more ? { next: here(`https://${address}?${next.toString()}`) } : {}),
      total: rows.length,
    },
    request: { contentType: 'application/json', format: 'json' },
  });
}

function list(path: string, name: string, rows: () => readonly Row[]): Route {
  return { at: `${API}/${path}`, answer: (request) => paged(name, rows(), request) };
}

function part(name: string, file: string): Route {
  return list(`bill/117/hr/21/${name.toLowerCase()}`, name, () => rowsOf(`bill_117_hr_21_${file}.json`, name));
}

function rowsOf(file: string, name: string): Row[] {
  return recorded<Record<string, Row[]>>(`congress/${file}`)[name] ?? [];
}

function bills(): Row[] {
  return grown(rowsOf('bill_list_dev.json', 'bills'), BILLS, (at) => ({ number: `9${at}`, title: `Constructed bill ${at}` }));
}

/** Congress.gov, version 3. */
export const CONGRESS: Source = {
  hosts: ['api.congress.gov'],
  ...DATA_GOV,
  missing: () => json({ error: 'No Bill matches the given query.' }, 404),
  routes: [
    list('bill', 'bills', bills),
    list('bill/117/hr', 'bills', () => constructed<{ bills: Row[] }>('congress/bills_117_hr.json').bills),
    { at: `${API}/bill/117/hr/21`, answer: () => json(recorded('congress/bill_117_hr_21.json')) },
    part('cosponsors', 'cosponsors'),
    part('committees', 'committees'),
    part('amendments', 'amendments'),
    part('relatedBills', 'relatedbills'),
    list('bill/117/hr/21/text', 'textVersions', () => rowsOf('bill_117_hr_21_text.json', 'textVersions')),
    list('bill/117/hr/21/actions', 'actions', () => constructed<{ actions: Row[] }>('congress/actions.json').actions),
    list('member', 'members', () => constructed<{ members: Row[] }>('congress/members.json').members),
    { at: `${API}/member/C001078`, answer: () => json(constructed('congress/member.json')) },
  ],
};
