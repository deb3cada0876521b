import { constructed, grown, recorded, type Row } from './material';
import { json, type Route, type Source, type SourceRequest, tooMany } from './source';

const API = 'api.usaspending.gov/api/v2';

interface Rows {
  results: Row[];
}

function fault(detail: string, status: number): ReturnType<typeof json> {
  return json({ detail }, status);
}

/** A search whose recorded rows are the first of `total`. */
function search(path: string, answer: (request: SourceRequest) => Row & Rows, use: { total: number; key: string }): Route {
  return {
    method: 'POST',
    at: `${API}/${path}/`,
    answer: (request) => {
      const { body } = request;
      if ('filters' in body && Object.keys(body['filters'] as Row).length === 0) {
        return fault("Missing value: 'filters|award_type_codes' is a required field", 422);
      }
      const limit = Number(body['limit'] ?? 10);
      const page = Number(body['page'] ?? 1);
      if (limit > 100) return fault("Field 'limit' value '101' is above max '100'", 422);
      const whole = answer(request);
      const rows = grown(whole.results, use.total, (at) => ({ [use.key]: `CONSTRUCTED ${at}` }));
      const results = rows.slice((page - 1) * limit, page * limit);
      const hasNext = page * limit < rows.length;
      return json({ ...whole, limit, results, page_metadata: { page, hasNext, next: hasNext ? page + 1 : null } });
    },
  };
}

function read(path: string, file: string): Route {
  return { at: `${API}/${path}`, answer: () => json(recorded(`usaspending/${file}`)) };
}

function awards({ body }: SourceRequest): Row & Rows {
  const codes = (body['filters'] as { award_type_codes?: string[] }).award_type_codes ?? [];
  return recorded<Row & Rows>(
    `usaspending/${codes.includes('02') ? 'award_search_results_grants' : 'spending_by_award_contracts'}.json`,
  );
}

/** USAspending, version 2. */
export const USASPENDING: Source = {
  hosts: ['api.usaspending.gov'],
  limited: (retryAfter) => tooMany(json({ detail: 'Request was throttled.' }), retryAfter),
  missing: () => fault('Not found.', 404),
  routes: [
    search('search/spending_by_award', awards, { total: 130, key: 'generated_internal_id' }),
    search('search/spending_by_category/recipient', () => recorded('usaspending/spending_by_recipient.json'), {
      total: 120,
      key: 'name',
    }),
    search('search/spending_by_category/state_territory', () => recorded('usaspending/spending_by_state.json'), {
      total: 1,
      key: 'name',
    }),
    search('awards/accounts', () => recorded('usaspending/award_accounts.json'), { total: 2, key: 'federal_account' }),
    search('awards/funding', () => recorded('usaspending/award_award_funding_grant.json'), {
      total: 14,
      key: 'account_title',
    }),
    read('awards/CONT_AWD_80GSFC18C0008_8000_-NONE-_-NONE-/', 'award_contract.json'),
    read('awards/ASST_NON_P268K115150_091/', 'award_loan.json'),
    read('recipient/0b441d38-e3c0-de89-ee08-69fc9e6ee58a-C/', 'recipient_university.json'),
    read('agency/080/', 'agency.json'),
    read('references/filter_tree/tas/', 'tas_agencies.json'),
    read('download/status', 'download_status.json'),
    {
      method: 'POST',
      at: `${API}/autocomplete/awarding_agency_office/`,
      answer: () => json(recorded('usaspending/agency_autocomplete.json')),
    },
    {
      method: 'POST',
      at: `${API}/autocomplete/recipient/`,
      answer: () => json(constructed('usaspending/autocomplete_recipient.json')),
    },
  ],
};
