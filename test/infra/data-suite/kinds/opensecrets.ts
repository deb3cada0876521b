import { expect } from '@jest/globals';
import { spacedJson } from '../python-text';
import { each, type Check, type Checks } from '../row';
import { one, rows } from '../results';

const entries: Check = async ({ path, said, world }) => {
  const [count, at = ''] = said.take(/(\d+) entries in ([\w.]+)/);
  const records = rows(await world.api(path, { results_path: at }));
  expect(records).toHaveLength(Number(count));
  const [first = ''] = said.take(/first (\{.*)$/);
  expectBeginning(records[0], first);
};

const whole: Check = async ({ path, said, world }) => {
  const [text = ''] = said.take(/^(\{.*)$/);
  expectBeginning(one(await world.api(path)), text);
};

/** The description cuts long texts off. */
function expectBeginning(found: unknown, text: string): void {
  expect(text.length).toBeGreaterThan(50);
  expect(spacedJson(found).slice(0, text.length)).toBe(text);
}

export const opensecrets: Checks = {
  ...each(
    entries,
    'CandidateContributors_dev.json',
    'CandidateIndustries_dev.json',
    'CandidateTopSectors_dev.json',
    'FundraisingByCommittee_dev.json',
    'IndependentExpenditures_dev.json',
    'OrganizationSearch_dev.json',
  ),
  ...each(whole, 'CandidateSummary.json', 'PFD.json'),
};
