import type { Fields } from '../fields';
import { safeRecord } from '../fields';
import { readEndpointCommon } from '../mapping';
import type { FileConnection, FileEndpoint, FileFormat, FileSource } from '../types';
import { FILE_ENVELOPE } from '../outputs';
import { readFileFields, readGroups, readListElement } from './file-fields';
import type { FieldContext } from './file-fields';
import type { TypeReader } from './type-reader';

const SOURCES: readonly FileSource[] = ['upload', 'url', 'directory'];
const FORMATS = ['xml', 'csv', 'json', 'tsv', 'psv', 'txt'];
const ENCODINGS = ['auto', 'utf-8', 'utf-16le', 'utf-16be', 'iso-8859-1', 'windows-1252'] as const;

export const readFileParser: TypeReader = ({ common, top, connection, endpoints, checks }) => {
  if (connection === undefined) {
    top.report.add(top.at('connection'), 'missing_field', 'A file_parser connector needs `connection` with `source`.');
    return undefined;
  }
  return {
    ...common,
    type: 'file_parser',
    connection: readConnection(connection),
    endpoints: safeRecord(endpoints.map(({ name, fields }) => [name, readEndpoint(fields, checks.xpath)])),
  };
};

function readConnection(fields: Fields): FileConnection {
  const sources = fields.texts('source') ?? [];
  if (sources.length === 0 || sources.some((source) => !SOURCES.includes(source as FileSource))) {
    fields.report.add(fields.at('source'), 'invalid_value', `\`source\` must be one or more of ${SOURCES.join(', ')}.`);
  }
  const formats = (fields.texts('accepted_formats') ?? []).map((format) => format.toLowerCase());
  const unknown = formats.find((format) => !FORMATS.includes(format));
  if (unknown !== undefined) {
    fields.report.add(
      fields.at('accepted_formats'),
      'not_available',
      `Files of format \`${unknown}\` cannot be read; known: ${FORMATS.join(', ')}.`,
    );
  }
  const size = fields.integer('max_file_size_mb', 1, 64) ?? 50;
  const count = fields.integer('max_files', 1, 10_000) ?? 1000;
  fields.done();
  return { sources: sources as FileSource[], accepted_formats: formats, max_file_size_mb: size, max_files: count };
}

function readEndpoint(fields: Fields, checkXpath: ((path: string) => string | undefined) | undefined): FileEndpoint {
  const parser = fields.choice('parser', ['xml', 'csv', 'json'] as const, { required: true }) ?? 'xml';
  const context: FieldContext = { parser, ...(checkXpath === undefined ? {} : { checkXpath }) };
  const root = fields.text('root_element');
  const list = readListElement(fields, context);
  const own = readFileFields(fields, context);
  const groups = readGroups(fields, context, own);
  const namespaces = fields.textMap('namespaces');
  const delimiter = readDelimiter(fields);
  const encoding = fields.choice('encoding', ENCODINGS) ?? 'auto';
  const header = fields.flag('header') ?? true;
  const common = readEndpointCommon(fields);
  fields.done();
  checkShape(fields, { parser, root, checkXpath, hasFields: own.length > 0, groups: Object.keys(groups) });
  return {
    ...common,
    parser,
    ...(root === undefined ? {} : { root_element: root }),
    ...(list === undefined ? {} : { list_element: list }),
    fields: own,
    groups,
    ...(namespaces === undefined ? {} : { namespaces }),
    delimiter,
    encoding,
    header,
  };
}

function readDelimiter(fields: Fields): string {
  const raw = fields.raw('delimiter');
  const delimiter = raw === '\\t' || raw === 'tab' ? '\t' : raw;
  if (delimiter === undefined) {
    return ',';
  }
  if (typeof delimiter !== 'string' || delimiter.length !== 1 || /["\r\n]/.test(delimiter)) {
    fields.report.add(
      fields.at('delimiter'),
      'invalid_value',
      '`delimiter` must be one character such as `,`, `;`, `|` or `tab`.',
    );
    return ',';
  }
  return delimiter;
}

interface Shape {
  parser: FileFormat;
  root: string | undefined;
  checkXpath: ((path: string) => string | undefined) | undefined;
  hasFields: boolean;
  groups: string[];
}

function checkShape(fields: Fields, shape: Shape): void {
  if (shape.parser === 'xml' && !shape.hasFields) {
    fields.report.add(fields.path, 'missing_field', 'An XML endpoint needs `fields`.', {
      suggestion: 'Add `fields:` with `xpath` and `field`.',
    });
  }
  const fault = shape.parser === 'xml' && shape.root !== undefined ? shape.checkXpath?.(shape.root) : undefined;
  if (fault !== undefined) {
    fields.report.add(fields.at('root_element'), 'invalid_path', fault);
  }
  if (shape.parser === 'csv' && shape.groups.length > 0) {
    fields.report.add(fields.at('groups'), 'invalid_value', 'A CSV file is one list; `groups` are for XML and JSON.', {
      at: 'key',
    });
  }
  for (const group of shape.groups.filter((name) => FILE_ENVELOPE.includes(name))) {
    fields.report.add(
      [...fields.at('groups'), group],
      'invalid_value',
      `\`${group}\` is the name of an output that every call has.`,
      { at: 'key' },
    );
  }
}
