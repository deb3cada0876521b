import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import type { ExpressionChecks } from '../../../core/connector/checks';
import { parseConnector } from '../../../core/connector/parse';

const CHECKS: ExpressionChecks = {
  xpath: (path) => (path.includes('evil') ? 'cannot be read' : undefined),
};

/** `code place` of each problem, places from the endpoint or the connection on. */
function faults(type: string, connection: Json, endpoint: JsonObject): string[] {
  const text = JSON.stringify({ id: 'a', type, connection, endpoints: { e: endpoint } });
  const { problems } = parseConnector(text, CHECKS);
  return problems.map(({ code, field }) =>
    `${code} ${(field ?? '').replace(/^(endpoints\.e|connection)\.?/, '')}`.trim(),
  );
}

describe('files', () => {
  const of = (endpoint: JsonObject, connection: JsonObject = { source: 'upload' }): string[] =>
    faults('file_parser', connection, endpoint);
  const xml = (more: JsonObject): string[] => of({ parser: 'xml', fields: [{ field: 'a', xpath: 'a' }], ...more });
  it.each<[string, string[], string[]]>([
    ['no parser', of({}), ['missing_field', 'missing_field']],
    ['a source twice', of({ parser: 'csv' }, { source: ['upload', 'upload'] }), ['duplicate_name source']],
    ['an empty list of sources', of({ parser: 'csv' }, { source: [] }), ['missing_field source']],
    ['an unknown source', of({ parser: 'csv' }, { source: ['ftp'] }), ['invalid_value source.0']],
    ['the other spelling', of({ parser: 'csv' }, { sources: ['url', 'upload'] }), []],
    ['formats in any case', of({ parser: 'csv' }, { source: 'url', accepted_formats: ['CSV', 'Xlsx'] }), []],
    [
      'one format as a text',
      of({ parser: 'csv' }, { source: 'url', accepted_formats: 'doc' }),
      ['not_available accepted_formats'],
    ],
    [
      'an unknown format',
      of({ parser: 'csv' }, { source: 'url', accepted_formats: ['csv', 'doc'] }),
      ['not_available accepted_formats.1'],
    ],
    ['no formats', of({ parser: 'csv' }, { source: 'url', accepted_formats: [] }), []],
    ['XML without fields', of({ parser: 'xml' }), ['missing_field']],
    ['fixed width without fields', of({ parser: 'fixed_width' }), ['missing_field']],
    ['JSON without fields', of({ parser: 'json' }), []],
    ['an XPath', xml({ fields: [{ field: 'a', xpath: '//evil' }] }), ['invalid_path fields.0.xpath']],
    ['paths in XML', xml({ fields: [{ field: 'a', paths: ['a', 'evil'] }] }), ['invalid_path fields.0.paths']],
    ['a field of XML from nowhere', xml({ fields: [{ field: 'a' }] }), ['missing_field fields.0']],
    ['a field name that is none', xml({ fields: [{ field: 'a b', xpath: 'a' }] }), ['invalid_value fields.0.field']],
    [
      'a field twice',
      xml({
        fields: [
          { field: 'a', xpath: 'a' },
          { field: 'a', xpath: 'b' },
        ],
      }),
      ['duplicate_name fields.1.field'],
    ],
    ['a field without a name', xml({ fields: [{ xpath: 'a' }] }), ['missing_field fields.0']],
    [
      'a dot path of JSON',
      of({ parser: 'json', fields: [{ field: 'a', paths: 'a..b' }] }),
      ['invalid_path fields.0.paths'],
    ],
    ['a column with dots', of({ parser: 'csv', fields: [{ field: 'a', column: 'a..b' }] }), []],
    ['a join', xml({ fields: [{ field: 'a', xpath: 'a', join: ', ' }] }), []],
    ['no join', xml({ fields: [{ field: 'a', xpath: 'a', join: false }] }), []],
    [
      'a long join',
      xml({ fields: [{ field: 'a', xpath: 'a', join: '-'.repeat(11) }] }),
      ['invalid_type fields.0.join'],
    ],
    ['a join that is a number', xml({ fields: [{ field: 'a', xpath: 'a', join: 1 }] }), ['invalid_type fields.0.join']],
    ['a column of a width', of({ parser: 'fixed_width', fields: [{ field: 'a', start: 1, length: 2 }] }), []],
    [
      'a column of no width',
      of({ parser: 'fixed_width', fields: [{ field: 'a', start: 1 }] }),
      ['missing_field fields.0'],
    ],
    [
      'a column of no place',
      of({ parser: 'fixed_width', fields: [{ field: 'a' }] }),
      ['missing_field fields.0', 'missing_field fields.0'],
    ],
    ['a width in CSV', of({ parser: 'csv', fields: [{ field: 'a', length: 1 }] }), ['invalid_value fields.0.length']],
    [
      'a start in CSV',
      of({ parser: 'csv', fields: [{ field: 'a', start: 1, length: 1 }] }),
      ['invalid_value fields.0.start'],
    ],
    ['a list of XML', xml({ list_element: ['a', 'evil'] }), ['invalid_path list_element']],
    ['a root of XML', xml({ root_element: 'evil' }), ['invalid_path root_element']],
    ['a root of JSON', of({ parser: 'json', root_element: 'evil' }), []],
    ['namespaces of JSON', of({ parser: 'json', namespaces: { a: 'b' } }), ['invalid_value namespaces']],
    ['a sheet of CSV', of({ parser: 'csv', sheet: 'A' }), ['invalid_value sheet']],
    ['a sheet by number', of({ parser: 'xlsx', sheet: 1 }), []],
    ['a sheet 0', of({ parser: 'xlsx', sheet: 0 }), ['invalid_type sheet']],
    ['record types of CSV', of({ parser: 'csv', record_types: 'SA' }), ['invalid_value record_types']],
    ['a record type', of({ parser: 'fec', record_types: ['SA', 'S A'] }), ['invalid_value record_types.1']],
    ['a record type as a text', of({ parser: 'fec', record_types: 'S A' }), ['invalid_value record_types']],
    ['lines before PDF', of({ parser: 'pdf', skip_lines: 2 }), ['invalid_value skip_lines']],
    ['lines before CSV', of({ parser: 'csv', skip_lines: 2 }), []],
    [
      'groups of CSV',
      of({ parser: 'csv', groups: { g: { list_element: 'a', fields: [] } } }),
      ['invalid_value groups'],
    ],
    ['no groups of CSV', of({ parser: 'csv', groups: {} }), []],
    [
      'a group without a list',
      xml({ groups: { g: { fields: [{ field: 'b', xpath: 'b' }] } } }),
      ['missing_field groups.g'],
    ],
    [
      'a group that is called like an output',
      xml({ groups: { count: { list_element: 'a', fields: [{ field: 'b', xpath: 'b' }] } } }),
      ['invalid_value groups.count'],
    ],
    [
      'a group that carries what is not there',
      xml({ groups: { g: { list_element: 'a', carry: ['z'], fields: [{ field: 'b', xpath: 'b' }] } } }),
      ['unknown_reference groups.g.carry'],
    ],
    ['a mapping of a field', xml({ response_mapping: { fields: { x: 'a' } } }), []],
    [
      'a mapping of no field',
      xml({ response_mapping: { fields: { x: 'z' } } }),
      ['invalid_path response_mapping.fields.x'],
    ],
    [
      'an entity of a field',
      xml({ response_mapping: { entity_extraction: [{ field: 'a', entity_type: 'ORG' }] } }),
      [],
    ],
    [
      'an entity of a group',
      xml({
        groups: { g: { list_element: 'a', fields: [{ field: 'b', xpath: 'b' }] } },
        response_mapping: { entity_extraction: [{ field: 'b', entity_type: 'ORG' }] },
      }),
      [],
    ],
    [
      'an entity of no field',
      xml({ response_mapping: { entity_extraction: [{ field: 'z', entity_type: 'ORG' }] } }),
      ['unknown_reference response_mapping.entity_extraction.0.field'],
    ],
    [
      'an entity of a file that is not described',
      of({ parser: 'csv', response_mapping: { entity_extraction: [{ field: 'z', entity_type: 'ORG' }] } }),
      [],
    ],
    ['editions', xml({ replaces: { same: 'a', latest: ['a'] } }), []],
    ['editions of nothing', xml({ replaces: {} }), ['missing_field replaces', 'missing_field replaces']],
    ['editions of no field', xml({ replaces: { same: ['a', 'z'], latest: 'a' } }), ['unknown_reference replaces.same']],
    ['editions of a file that is not described', of({ parser: 'csv', replaces: { same: 'z', latest: 'y' } }), []],
    [
      'editions beside a field of theirs',
      xml({ fields: [{ field: 'is_current', xpath: 'a' }], replaces: { same: 'is_current', latest: 'is_current' } }),
      ['invalid_value replaces'],
    ],
  ])('%s', (_what, found, expected) => {
    expect(found).toEqual(expected);
  });
});
