import { shorten } from '../../base/shorten';
import { type Fields, nearestName, safeRecord } from '../fields';
import { COLUMN, FILE_MEGABYTES, FILES } from '../limits';
import { readEndpointCommon } from '../mapping';
import { checkKnownField } from '../mapping-path';
import { RECORD_TYPE } from '../patterns';
import type { FileConnection, FileEndpoint, FileFormat, FileSource } from '../types';
import { FILE_FORMATS, FILE_SOURCES } from '../types';
import type { PathCheck } from '../mapping-path';
import type { FieldContext } from './file-fields';
import { readFileFields, readGroups, readListElement } from './file-fields';
import { checkFileShape } from './file-shape';
import { readReplaces } from './replaces';
import { readTextFormat } from './text-format';
import type { TypeReader } from './type-reader';

/** File name extensions that can be read. */
export const EXTENSIONS = [
  'xml',
  'csv',
  'tsv',
  'psv',
  'txt',
  'dat',
  'json',
  'jsonl',
  'ndjson',
  'xlsx',
  'xlsm',
  'xls',
  'ods',
  'pdf',
  'docx',
  'fec',
];

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
  const connection = {
    sources: readSources(fields),
    accepted_formats: readExtensions(fields),
    max_file_size_mb: fields.integer('max_file_size_mb', FILE_MEGABYTES),
    max_files: fields.integer('max_files', FILES),
  };
  fields.done();
  return connection;
}

function readSources(fields: Fields): FileSource[] {
  const key = fields.spelling('source', 'sources');
  const sources = fields.choices(key, FILE_SOURCES);
  const given = fields.raw(key);
  if (given === undefined || (Array.isArray(given) && given.length === 0)) {
    const message = `\`source\` must be one or more of ${FILE_SOURCES.join(', ')}.`;
    fields.report.add(fields.at(key), 'missing_field', message);
  }
  return sources ?? [];
}

function readExtensions(fields: Fields): string[] {
  const given = fields.raw('accepted_formats');
  const formats = Array.isArray(given) && given.length === 0 ? [] : (fields.texts('accepted_formats') ?? []);
  return formats.map((format, index) => {
    const extension = format.toLowerCase();
    if (!EXTENSIONS.includes(extension)) {
      const message = `Files of format \`${shorten(format, 40)}\` cannot be read; known: ${EXTENSIONS.join(', ')}.`;
      const at = Array.isArray(given) ? [...fields.at('accepted_formats'), index] : fields.at('accepted_formats');
      fields.report.add(at, 'not_available', message, nearestName(extension, EXTENSIONS));
    }
    return extension;
  });
}

function readEndpoint(fields: Fields, checkXpath: PathCheck | undefined): FileEndpoint {
  const parser: FileFormat = fields.choice('parser', FILE_FORMATS, { required: true }) ?? 'xml';
  const context: FieldContext = { parser, ...(checkXpath === undefined ? {} : { checkXpath }) };
  const root = fields.text('root_element');
  const list = readListElement(fields, context);
  const own = readFileFields(fields, context);
  const groups = readGroups(fields, context, own);
  const namespaces = fields.textMap('namespaces');
  const sheet = readSheet(fields);
  const recordTypes = readRecordTypes(fields);
  const known = own.map((field) => field.field);
  const inGroups = Object.values(groups).flatMap((group) => group.fields.map((field) => field.field));
  const common = readEndpointCommon(fields, {
    checkPath: checkKnownField(known, fields.report),
    known: known.length === 0 ? [] : [...known, ...inGroups],
  });
  const replaces = readReplaces(fields, known);
  const endpoint: FileEndpoint = {
    ...common,
    parser,
    ...(root === undefined ? {} : { root_element: root }),
    ...(list === undefined ? {} : { list_element: list }),
    fields: own,
    groups,
    ...(replaces === undefined ? {} : { replaces }),
    ...(namespaces === undefined ? {} : { namespaces }),
    ...readTextFormat(fields),
    ...(sheet === undefined ? {} : { sheet }),
    ...(recordTypes === undefined ? {} : { record_types: recordTypes }),
  };
  fields.done();
  checkFileShape(fields, endpoint, context);
  return endpoint;
}

/** A name, or a number counted from 1. */
function readSheet(fields: Fields): string | number | undefined {
  return typeof fields.raw('sheet') === 'number' ? fields.integer('sheet', COLUMN) : fields.text('sheet', { max: 100 });
}

function readRecordTypes(fields: Fields): string[] | undefined {
  const types = fields.texts('record_types');
  types?.forEach((type, index) => {
    if (!RECORD_TYPE.pattern.test(type)) {
      const message = `\`${shorten(type, 40)}\` is no record type: ${RECORD_TYPE.hint}.`;
      const at = Array.isArray(fields.raw('record_types'))
        ? [...fields.at('record_types'), index]
        : fields.at('record_types');
      fields.report.add(at, 'invalid_value', message);
    }
  });
  return types;
}
