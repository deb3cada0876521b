import type { Json } from '../../../../core/base/json';
import { repr } from '../python-text';
import { each, type Check, type Checks } from '../row';
import { one, rows } from '../results';

const part: Check = async ({ path, said, world }) => {
  const whole = one(await world.api(path));
  said.same(/keys (\[.*?\])/, repr(Object.keys(whole)));
  said.same(/pagination (None|\{.*\})/, repr(whole['pagination']));
  const name = Object.keys(whole).find((key) => key !== 'pagination' && key !== 'request') ?? '';
  const { found } = one(await world.api(path, { fields: { found: name } }));
  said.same(/(\w+): (\d+)/, name, sizeOf(found));
};

/** Elements of a list, fields of an object. */
function sizeOf(value: Json | undefined): number {
  return Object.keys((value ?? {}) as object).length;
}

const bills: Check = async ({ path, said, world }) => {
  const fields = { type: 'type', number: 'number', congress: 'congress' };
  const records = rows(await world.api(path, { results_path: 'bills', fields }));
  const [first] = records;
  said.same(/(\d+) bills/, records.length);
  said.same(/first (\w+) (\d+) \((\d+)\)/, first?.['type'], first?.['number'], first?.['congress']);
  const { pagination } = one(await world.api(path, { fields: { pagination: 'pagination' } }));
  said.same(/pagination (\{.*\})/, repr(pagination));
};

export const congress: Checks = {
  ...each(
    part,
    'bill_117_hr_21.json',
    'bill_117_hr_21_amendments.json',
    'bill_117_hr_21_committees.json',
    'bill_117_hr_21_cosponsors.json',
    'bill_117_hr_21_relatedbills.json',
    'bill_117_hr_21_text.json',
  ),
  'bill_list_dev.json': bills,
};
