import { expect } from '@jest/globals';
import type { JsonObject } from '../../../../core/base/json';
import { repr, spacedJson } from '../python-text';
import { each, type Check, type Checks, type Row } from '../row';
import { asText, list, one, rows, sum } from '../results';

const part = async ({ path, world }: Row, list_element: string): Promise<JsonObject[]> =>
  rows(await world.file(path, { parser: 'fec', list_element }));

const filing: Check = async (row) => {
  const { said, path, world } = row;
  const records = rows(await world.file(path, { parser: 'fec' }));
  const [header] = await part(row, 'header');
  const [cover] = await part(row, 'filing');
  said.same(/header (\[.*?\])/, repr([header?.['record_type'], 'FEC', header?.['version'], header?.['software_name']]));
  const type = cover?.['record_type'];
  said.same(
    /second record (\[.*?\])/,
    repr([type, cover?.['filer_committee_id'], cover?.['committee_name'] ?? cover?.['entity_type']]),
  );
  const counts: Record<string, number> = { HDR: 1, [asText(type)]: 1 };
  records.forEach(
    (record) => (counts[asText(record['record_type'])] = (counts[asText(record['record_type'])] ?? 0) + 1),
  );
  const [types = ''] = said.take(/record types \{(.*)\}/);
  for (const [, name = '', count] of types.matchAll(/'(.*?)': (\d+)/g)) {
    expect([name, counts[name]]).toEqual([name, Number(count)]);
  }
  said.same(/(\d+) non-empty lines/, records.length + 2);
};

/** Letter with free text, which the description counts line by line, as if each line were a record. */
const letter: Check = async (row) => {
  const { said } = row;
  const lines = filled(asText((await part(row, 'text'))[0]?.['value']));
  const [header] = await part(row, 'header');
  const [cover] = await part(row, 'filing');
  said.same(/header (\[.*?\])/, repr([header?.['record_type'], 'FEC', header?.['version'], header?.['software_name']]));
  said.same(
    /second record (\[.*?\])/,
    repr([cover?.['record_type'], cover?.['filer_committee_id'], cover?.['committee_name']]),
  );
  const [types = ''] = said.take(/record types \{(.*)\}/);
  const named = [...types.matchAll(/'(.*?)': 1/g)].map(([, name = '']) => name);
  expect(named.slice(0, 3)).toEqual(['HDR', 'F99', '[BEGINTEXT]']);
  expect(lines.slice(0, named.length - 3).map((line) => line.trim())).toEqual(named.slice(3));
  // Header, cover and the two marks around the text.
  said.same(/(\d+) non-empty lines/, lines.length + 4);
};

function filled(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

const bulk: Check = async ({ path, said, world }) => {
  const records = rows(
    await world.file(path, {
      parser: 'csv',
      fields: [
        { field: 'amount', column: 'exp_amo', type: 'number' },
        { field: 'date', column: 'exp_date' },
        { field: 'candidate', column: 'cand_id' },
      ],
    }),
  );
  const whole = rows(await world.file(path, { parser: 'csv' }));
  const columns = Object.keys(whole[0] ?? {}).filter((name) => name !== 'file' && name !== 'file_id');
  said.same(/(\d+) rows, (\d+) columns/, records.length, columns.length);
  said.same(/sum of exp_amo ([\d.]+)/, sum(records, 'amount').toFixed(2));
  said.same(/(\d+) without exp_date/, records.filter((record) => record['date'] === '').length);
  said.same(/(\d+) without cand_id/, records.filter((record) => record['candidate'] === '').length);
  said.same(/(\d+) negative/, records.filter((record) => Number(record['amount']) < 0).length);
};

const answer: Check = async ({ path, said, world }) => {
  const records = rows(await world.api(path, { results_path: 'results' }));
  said.same(/^(\d+) results/, records.length);
  const { pagination } = one(await world.api(path, { fields: { pagination: 'pagination' } }));
  said.same(/pagination (null|\{.*\})/, spacedJson(pagination));
  const keys = said.takeIfSaid(/keys include (\[.*?\])/)?.[0];
  const names = [...(keys ?? '').matchAll(/'(\w+)'/g)].map(([, name = '']) => name);
  records.forEach((record) => expect(Object.keys(record)).toEqual(expect.arrayContaining(names)));
  if (keys !== undefined) {
    said.same(/sum of amounts ([\d.]+)/, sum(records, 'contribution_receipt_amount').toFixed(2));
  }
  const first = said.takeIfSaid(/first: (.*)$/)?.[0];
  for (const pair of first?.split(/, (?=\w+=)/) ?? []) {
    const [name = '', ...value] = pair.split('=');
    expect(`${name}=${asText(list(records)[0]?.[name])}`).toBe(`${name}=${value.join('=')}`);
  }
  expect(first === undefined).toBe(records.length === 0 || keys !== undefined);
};

export const fec: Checks = {
  ...each(filing, '1229017.fec', '723604.fec', '764901.fec', '771694.fec', '82094.fec'),
  '1260488.fec': letter,
  'bulk_independent_expenditure_dev.csv': bulk,
  ...each(
    answer,
    'openfec_candidate_H0AK00014_committees.json',
    'openfec_candidate_H0AK00014_history.json',
    'openfec_candidate_H4IL07037_committees.json',
    'openfec_candidates_party_DEM.json',
    'openfec_committee_C00462390_history.json',
    'openfec_committee_C00462390_history_2012.json',
    'openfec_committee_C00563023_totals.json',
    'openfec_committees.json',
    'openfec_committees_committee_id_C00563023.json',
    'openfec_elections_cycle_2000_office_president.json',
    'openfec_names_candidates_q_John.json',
    'openfec_schedules_schedule_a_by_size_by_candidate_candidate_id_S4PA00121_cycle_2016.json',
    'openfec_schedules_schedule_a_dev.json',
  ),
};
