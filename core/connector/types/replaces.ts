import type { Fields } from '../fields';
import type { FileEndpoint } from '../types';

/** Columns that every row of an endpoint with `replaces` has. */
const REPLACED_COLUMNS = ['is_current', 'replaced_by'];

/** Reads which records are editions of the same thing, and which edition counts. */
export function readReplaces(fields: Fields, known: readonly string[]): FileEndpoint['replaces'] {
  const replaces = fields.child('replaces');
  if (replaces === undefined) return undefined;
  const read = (key: 'same' | 'latest'): string[] => {
    const names = replaces.texts(key);
    if (names === undefined && !replaces.has(key)) {
      replaces.report.add(replaces.path, 'missing_field', `\`replaces\` needs \`${key}\`, a list of fields.`);
    }
    const foreign = known.length === 0 ? undefined : names?.find((name) => !known.includes(name));
    if (foreign !== undefined) {
      replaces.report.add(replaces.at(key), 'unknown_reference', `\`${foreign}\` is no field of this endpoint.`);
    }
    return names ?? [];
  };
  const found = { same: read('same'), latest: read('latest') };
  replaces.done();
  const taken = REPLACED_COLUMNS.find((name) => known.includes(name));
  if (taken !== undefined) {
    const message = `\`${taken}\` is a column that \`replaces\` adds; give the field another name.`;
    fields.report.add(fields.at('replaces'), 'invalid_value', message, { at: 'key' });
  }
  return found;
}
