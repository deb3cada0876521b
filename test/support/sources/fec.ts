import { constructed, grown, numberIn, recorded, type Row, rowsIn, slice } from './material';
import { DATA_GOV, json, type Route, type Source, type SourceAnswer, type SourceRequest } from './source';

const API = 'api.open.fec.gov/v1';

/** Rows after the recorded ones, and the totals that belong to them. */
const CANDIDATES = 230;
const COMMITTEES = 130;
const ELECTIONS = 51;
const RECEIPTS = 230;

function paged(rows: readonly Row[], { query }: SourceRequest): SourceAnswer {
  const size = Math.min(numberIn(query, 'per_page', 20), 100);
  const page = numberIn(query, 'page', 1);
  const { rows: results, total, pages } = slice(rows, page, { size });
  return json({ api_version: '1.0', results, pagination: { count: total, page, pages, per_page: size } });
}

/** A page begins after the last row of the page before: its index, and its value of the sorted column. */
function keyed(rows: readonly Row[], { query }: SourceRequest, column: string): SourceAnswer {
  const size = Math.min(numberIn(query, 'per_page', 20), 100);
  const last = query.get('last_index');
  const from = last === null ? 0 : rows.findIndex((row) => String(row['sub_id']) === last) + 1;
  const results = rows.slice(from, from + size);
  const end = results.at(-1);
  const lastIndexes = end === undefined ? null : { last_index: end['sub_id'], [`last_${column}`]: end[column] };
  const pagination = {
    last_indexes: lastIndexes,
    count: rows.length,
    pages: Math.ceil(rows.length / size),
    per_page: size,
  };
  return json({ api_version: '1.0', results, pagination });
}

function list(path: string, file: string): Route {
  return { at: `${API}/${path}`, answer: (request) => paged(rowsIn(recorded(`fec/${file}`), 'results'), request) };
}

function made(path: string, file: string): Route {
  return { at: `${API}/${path}`, answer: (request) => paged(rowsIn(constructed(`fec/${file}`), 'results'), request) };
}

/** Matches when every word of `q` occurs. */
function named(rows: readonly Row[], query: URLSearchParams): Row[] {
  const words = query.getAll('q').map((word) => word.toLowerCase());
  return rows.filter((row) => words.some((word) => String(row['name']).toLowerCase().includes(word)));
}

/** Values of a filter; absent = all. */
function among(rows: readonly Row[], { query }: SourceRequest, names: readonly string[]): Row[] {
  return rows.filter((row) =>
    names.every((name) => !query.has(name) || query.getAll(name).includes(String(row[name]))),
  );
}

/** OpenFEC. */
export const FEC: Source = {
  hosts: ['api.open.fec.gov'],
  ...DATA_GOV,
  missing: () => json({ message: 'The requested URL was not found on the server.', status: 404 }, 404),
  routes: [
    {
      at: `${API}/candidates/`,
      answer: (request) => {
        const rows = rowsIn(recorded('fec/openfec_candidates_party_DEM.json'), 'results');
        const all = grown(rows, CANDIDATES, (at) => ({
          candidate_id: `H9XX${at}`,
          name: `CONSTRUCTED, CANDIDATE ${at}`,
        }));
        return paged(among(all, request, ['party', 'office', 'candidate_id']), request);
      },
    },
    {
      at: `${API}/committees/`,
      answer: (request) => {
        if (request.query.get('committee_id') === 'C00563023') {
          return paged(rowsIn(recorded('fec/openfec_committees_committee_id_C00563023.json'), 'results'), request);
        }
        const rows = rowsIn(recorded('fec/openfec_committees.json'), 'results');
        const all = grown(rows, COMMITTEES, (at) => ({ committee_id: `C9${at}`, name: `CONSTRUCTED COMMITTEE ${at}` }));
        return paged(among(all, request, ['committee_id']), request);
      },
    },
    {
      at: `${API}/elections/`,
      answer: (request) => {
        if (request.query.get('cycle') !== '2000' || request.query.get('office') !== 'president')
          return paged([], request);
        const rows = rowsIn(recorded('fec/openfec_elections_cycle_2000_office_president.json'), 'results');
        return paged(
          grown(rows, ELECTIONS, (at) => ({
            candidate_id: `P9${at}`,
            candidate_name: `CONSTRUCTED, ${at}`,
            total_receipts: 0,
          })),
          request,
        );
      },
    },
    {
      at: `${API}/names/candidates/`,
      answer: ({ query }) =>
        json({
          api_version: '1.0',
          results: named(rowsIn(recorded('fec/openfec_names_candidates_q_John.json'), 'results'), query),
        }),
    },
    {
      at: `${API}/names/committees/`,
      answer: ({ query }) =>
        json({
          api_version: '1.0',
          results: named(rowsIn(constructed('fec/names_committees.json'), 'results'), query),
        }),
    },
    {
      at: `${API}/schedules/schedule_a/`,
      answer: (request) => {
        const rows = rowsIn(recorded('fec/openfec_schedules_schedule_a_dev.json'), 'results');
        const all = grown(rows, RECEIPTS, (at) => ({
          sub_id: `9${at}`,
          contribution_receipt_amount: at,
          contributor_name: `CONSTRUCTED, ${at}`,
        }));
        return keyed(among(all, request, ['committee_id']), request, 'contribution_receipt_date');
      },
    },
    {
      at: `${API}/schedules/schedule_b/`,
      answer: (request) =>
        keyed(
          among(rowsIn(constructed('fec/schedule_b.json'), 'results'), request, [
            'committee_id',
            'recipient_committee_id',
          ]),
          request,
          'disbursement_date',
        ),
    },
    {
      at: `${API}/schedules/schedule_e/`,
      answer: (request) =>
        keyed(
          among(rowsIn(constructed('fec/schedule_e.json'), 'results'), request, ['committee_id', 'candidate_id']),
          request,
          'expenditure_date',
        ),
    },
    list(
      'schedules/schedule_a/by_size/by_candidate/',
      'openfec_schedules_schedule_a_by_size_by_candidate_candidate_id_S4PA00121_cycle_2016.json',
    ),
    list('candidate/H0AK00014/history/', 'openfec_candidate_H0AK00014_history.json'),
    list('candidate/H0AK00014/committees/', 'openfec_candidate_H0AK00014_committees.json'),
    list('candidate/H4IL07037/committees/', 'openfec_candidate_H4IL07037_committees.json'),
    list('committee/C00462390/history/', 'openfec_committee_C00462390_history.json'),
    list('committee/C00462390/history/2012/', 'openfec_committee_C00462390_history_2012.json'),
    list('committee/C00563023/totals/', 'openfec_committee_C00563023_totals.json'),
    made('committee/C00462390/candidates/', 'committee_candidates.json'),
  ],
};
