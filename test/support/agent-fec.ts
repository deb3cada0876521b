import { AGENT_KEYS, constructed, recorded, type Row, type Source } from './agent-material';
import { sendJson } from './http-source';

/** 120 small gifts, which need a second page. */
function smallGifts(): Row[] {
  return Array.from({ length: 120 }, (_, index) => ({
    sub_id: `9920000000000000${String(index).padStart(4, '0')}`,
    committee_id: 'C00557835',
    committee: { committee_id: 'C00557835', name: 'SHANNON FOR SENATE' },
    contributor_name: `SMALLDONOR, NUMBER ${index + 1}`,
    contributor_id: null,
    contributor_employer: 'RETIRED',
    contributor_state: 'OK',
    contributor_zip: '73154',
    contribution_receipt_amount: 10,
    contribution_receipt_date: new Date(Date.UTC(2014, 0, 1 + index)).toISOString().slice(0, 10),
    memoed_subtotal: false,
  }));
}

/** OpenFEC: asks for a key, filters, and gives pages that begin after the last row. */
export function fecSource(): Source {
  const page = recorded('fec/openfec_schedules_schedule_a_dev.json') as { results: Row[] };
  const receipts = [...page.results, ...(constructed('fec-receipts.json') as Row[]), ...smallGifts()];
  const disbursements = constructed('fec-disbursements.json') as Row[];
  const committees = constructed('fec-committees.json') as Row[];
  return (url, request, response) => {
    if (request.headers['x-api-key'] !== AGENT_KEYS.FEC_API_KEY) {
      sendJson(response, { error: { code: 'API_KEY_INVALID', message: 'An invalid api_key was supplied.' } }, 403);
      return;
    }
    const asked = (name: string): string[] => url.searchParams.getAll(name);
    const among = (row: Row, field: string): boolean =>
      asked(field).length === 0 || asked(field).includes(String(row[field]));
    switch (url.pathname) {
      case '/v1/schedules/schedule_a/':
        return sendJson(
          response,
          keyset(
            receipts.filter((row) => among(row, 'committee_id') && wordsFit(row, asked('contributor_name'))),
            url,
            'contribution_receipt_date',
          ),
        );
      case '/v1/schedules/schedule_b/':
        return sendJson(
          response,
          keyset(
            disbursements.filter((row) => among(row, 'committee_id')),
            url,
            'disbursement_date',
          ),
        );
      case '/v1/committees/':
        return sendJson(response, onePage(committees.filter((row) => among(row, 'committee_id'))));
      default:
        return sendJson(response, { status: 404, message: 'Not found' }, 404);
    }
  };
}

/** Matches when every word occurs in one of the names. */
function wordsFit(row: Row, names: readonly string[]): boolean {
  const words = String(row['contributor_name'])
    .toUpperCase()
    .split(/[^A-Z0-9]+/);
  return (
    names.length === 0 ||
    names.some((name) =>
      name
        .toUpperCase()
        .split(/\s+/)
        .every((word) => words.includes(word)),
    )
  );
}

/** Rows with the newest first; a page begins after the row that `last_index` names. */
function keyset(rows: Row[], url: URL, date: string): object {
  const sorted = [...rows].sort((a, b) => (String(a[date]) < String(b[date]) ? 1 : -1));
  const size = Number(url.searchParams.get('per_page') ?? 20);
  const last = url.searchParams.get('last_index');
  const from = last === null ? 0 : sorted.findIndex((row) => row['sub_id'] === last) + 1;
  const results = sorted.slice(from, from + size);
  const end = results.at(-1);
  return {
    api_version: '1.0',
    results,
    pagination: {
      count: rows.length,
      pages: Math.ceil(rows.length / size),
      per_page: size,
      last_indexes: end === undefined ? null : { last_index: end['sub_id'], [`last_${date}`]: end[date] },
    },
  };
}

function onePage(results: Row[]): object {
  return { api_version: '1.0', results, pagination: { count: results.length, page: 1, pages: 1, per_page: 100 } };
}
