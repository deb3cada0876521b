import type { Fields } from '../fields';
import { FILE_ENVELOPE } from '../outputs';
import type { FileEndpoint, FileFormat } from '../types';
import type { FieldContext } from './file-fields';

/** Formats for which a key has a meaning. */
const ONLY: Record<string, readonly FileFormat[]> = {
  root_element: ['xml', 'json'],
  list_element: ['xml', 'json', 'pdf', 'docx', 'fec'],
  groups: ['xml', 'json', 'pdf', 'docx', 'fec'],
  namespaces: ['xml'],
  sheet: ['xlsx'],
  record_types: ['fec'],
  skip_lines: ['csv', 'xlsx', 'fixed_width'],
};
/** Formats whose columns have no names of their own. */
const NEED_FIELDS: readonly FileFormat[] = ['xml', 'fixed_width'];

/** Checks which settings of a file parser's endpoint fit together. */
export function checkFileShape(fields: Fields, endpoint: FileEndpoint, context: FieldContext): void {
  checkKeys(fields, endpoint);
  if (NEED_FIELDS.includes(endpoint.parser) && endpoint.fields.length === 0) {
    const what = endpoint.parser === 'xml' ? '`xpath`' : '`start` and `length`';
    fields.report.add(fields.path, 'missing_field', `An endpoint for ${endpoint.parser} files needs \`fields\`.`, {
      suggestion: `Add \`fields:\` with \`field\` and ${what}.`,
    });
  }
  const root = endpoint.parser === 'xml' ? endpoint.root_element : undefined;
  const fault = root === undefined ? undefined : context.checkXpath?.(root);
  if (fault !== undefined) {
    fields.report.add(fields.at('root_element'), 'invalid_path', fault);
  }
  for (const group of Object.keys(endpoint.groups).filter((name) => FILE_ENVELOPE.includes(name))) {
    const message = `\`${group}\` is the name of an output that every call has.`;
    fields.report.add([...fields.at('groups'), group], 'invalid_value', message, { at: 'key' });
  }
}

function checkKeys(fields: Fields, endpoint: FileEndpoint): void {
  for (const [key, formats] of Object.entries(ONLY)) {
    const empty = key === 'groups' && Object.keys(endpoint.groups).length === 0;
    if (fields.has(key) && !empty && !formats.includes(endpoint.parser)) {
      const message = `\`${key}\` has no meaning for ${endpoint.parser} files, only for ${formats.join(' and ')}.`;
      fields.report.add(fields.at(key), 'invalid_value', message, { at: 'key' });
    }
  }
}
