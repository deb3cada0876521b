import { expect } from '@jest/globals';
import type { Json } from '../../../../core/base/json';
import { isJsonObject } from '../../../../core/base/json';
import { repr } from '../python-text';
import { each, type Check, type Checks } from '../row';
import { asText, one, rows } from '../results';

/** The description names at most so many fields. */
const NAMED = 9;

const answer: Check = async ({ path, said, world }) => {
  const whole = one(await world.api(path));
  said.same(/top-level keys (\[.*?\])/, repr(Object.keys(whole).slice(0, NAMED)));
  const count = said.takeIfSaid(/(\d+) results/)?.[0];
  if (count === undefined) {
    expect(Array.isArray(whole['results'])).toBe(false);
  } else {
    const records = rows(await world.api(path, { results_path: 'results' }));
    expect(records).toHaveLength(Number(count));
    const [first = ''] = said.take(/first: (.*)$/);
    expectPairs(first, records[0] ?? {});
  }
  const recipient = said.takeIfSaid(/recipient ([^;]+)$/)?.[0];
  if (recipient !== undefined) {
    expect(one(await world.api(path, { fields: { name: 'recipient.recipient_name' } }))['name']).toBe(recipient);
  }
  const pairs = said.takeIfSaid(/(\w+=.*)$/)?.[0] ?? '';
  expectPairs(pairs, whole);
};

/** `Award ID=NNM11AA01A, Award Amount=156725919.62` or the same with semicolons. */
function expectPairs(text: string, record: { [name: string]: Json }): void {
  expect(isJsonObject(record)).toBe(true);
  const pairs = text.replace(/[;\s]+$/, '').split(/[,;] (?=[\w ]+=)/);
  for (const pair of pairs.filter(Boolean)) {
    const [name = '', value = ''] = pair.split('=');
    const found = record[name];
    expect([name, typeof found === 'number' ? found : asText(found)]).toEqual([
      name,
      typeof found === 'number' ? Number(value) : value,
    ]);
  }
}

export const usaspending: Checks = each(
  answer,
  'agency.json',
  'agency_autocomplete.json',
  'award_accounts.json',
  'award_award_funding_grant.json',
  'award_contract.json',
  'award_loan.json',
  'award_search_results_grants.json',
  'download_status.json',
  'recipient_university.json',
  'spending_by_award_contracts.json',
  'spending_by_recipient.json',
  'spending_by_state.json',
  'tas_agencies.json',
);
