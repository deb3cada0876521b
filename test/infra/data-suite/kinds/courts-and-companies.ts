import { repr } from '../python-text';
import type { Check, Checks } from '../row';
import { list, one, rows } from '../results';

const opinions: Check = async ({ path, said, world }) => {
  const { count } = one(await world.api(path, { fields: { count: 'count' } }));
  const fields = { name: 'caseName', cluster: 'cluster_id', citation: 'citation' };
  const records = rows(await world.api(path, { results_path: 'results', fields }));
  said.same(/count (\d+), (\d+) results/, count, records.length);
  const [first] = records;
  said.same(/caseName (.*?), cluster_id (\d+)/, first?.['name'], first?.['cluster']);
  said.same(/citation (\[.*\])/, repr(first?.['citation']));
};

const dockets: Check = async ({ path, said, world }) => {
  const about = one(await world.api(path, { fields: { count: 'count', documents: 'document_count', next: 'next' } }));
  const fields = { name: 'caseName', docket: 'docketNumber', documents: 'recap_documents' };
  const records = rows(await world.api(path, { results_path: 'results', fields }));
  said.same(/count (\d+), document_count (\d+)/, about['count'], about['documents']);
  said.same(/next present (\w+)/, typeof about['next'] === 'string');
  said.same(/(\d+) results/, records.length);
  said.same(/first caseName (.*?), docketNumber ([^;]+)/, records[0]?.['name'], records[0]?.['docket']);
  said.same(/(\d+) recap_documents/, records.flatMap((record) => list(record['documents'])).length);
};

const company: Check = async ({ path, said, world }) => {
  const fields = {
    number: 'company_number',
    jurisdiction: 'jurisdiction_code',
    previous: 'previous_names',
    ended: 'officers[*].officer.inactive',
    filings: 'filings',
    codes: 'industry_codes[*].industry_code.code',
  };
  const found = one(await world.api(path, { results_path: 'results.company', fields }));
  const ended = found['ended'] as boolean[];
  said.same(/company_number (\w+), jurisdiction (\w+)/, found['number'], found['jurisdiction']);
  said.same(/(\d+) previous names/, list(found['previous']).length);
  const inactive = ended.filter(Boolean).length;
  said.same(/(\d+) officers \((\d+) active, (\d+) inactive\)/, ended.length, ended.length - inactive, inactive);
  said.same(/(\d+) filings/, list(found['filings']).length);
  said.same(/(\d+) industry codes/, list(found['codes']).length);
};

export const courtlistener: Checks = {
  'search_opinions_dev.json': opinions,
  'search_recap_dev.json': dockets,
};
export const opencorporates: Checks = { 'company_gb_SC045439.json': company };
