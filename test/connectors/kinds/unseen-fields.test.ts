import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import { jsonText } from '../../../core/base/json-text';
import type { FileEndpoint, FileField } from '../../../core/connector/types';
import { FileResults } from '../../../connectors/kinds/files/file-results';
import { parseFile } from '../../../connectors/formats/parse-file';
import { readConnector } from '../../../connectors/definition/read-connector';
import type { InputFile } from '../../../connectors/kinds/files/sources/input-file';
import { startHttpSource, type HttpSource } from '../../support/http-source';
import { connectorDeps, testContext, callEndpoint } from '../../support/connector-deps';
import { fileEndpoint } from '../formats/endpoint';
import { callRest, restEndpoint, results } from '../http-definitions';

/** Declared fields that no record has are told, whatever the format: a typed path must not look like a column of nothing. */
const field = (name: string, path: string, more: Partial<FileField> = {}): FileField => ({
  field: name,
  paths: [path],
  type: 'string',
  ...more,
});
const inputFile = (name: string): InputFile => ({ file: name, file_id: name }) as unknown as InputFile;

async function warningsOf(endpoint: FileEndpoint, texts: string[]): Promise<JsonObject[]> {
  let collected = new FileResults(endpoint, undefined);
  for (const [at, text] of texts.entries()) {
    collected.add(inputFile(`f${at + 1}`), await parseFile(endpoint, Buffer.from(text)));
    // Continues like a call that waits between two files.
    collected = new FileResults(endpoint, JSON.parse(JSON.stringify(collected.kept())) as Json);
  }
  return collected.result()['warnings'] as JsonObject[];
}
const messages = async (endpoint: FileEndpoint, ...texts: string[]): Promise<string[]> =>
  (await warningsOf(endpoint, texts)).map((warning) => `${jsonText(warning['code'])}: ${jsonText(warning['message'])}`);

describe('tables', () => {
  const csv = fileEndpoint({
    parser: 'csv',
    fields: [field('ein', 'EIN'), field('amount', 'Amuont', { type: 'number' })],
  });

  it('name the column that the header does not have, and the near one', async () => {
    expect(await warningsOf(csv, ['EIN,Amount\n1,5\n'])).toEqual([
      {
        code: 'column_not_found',
        field: 'amount',
        message: '`amount` is null everywhere: no record has `Amuont`. Did you mean `Amount`?',
      },
    ]);
  });

  it('know it without a row too, and say nothing of a column that is there and empty', async () => {
    expect(await messages(csv, 'EIN,Amount\n')).toHaveLength(1);
    expect(await messages(csv, 'EIN,Amuont\n1,\n')).toEqual([]);
    expect(await messages(csv, 'EIN,Amuont\n')).toEqual([]);
  });

  it('take the second name of a field, and of several files name those without it', async () => {
    const either = {
      ...csv,
      fields: [field('ein', 'EIN'), { ...field('amount', 'Amuont'), paths: ['Amuont', 'Amount'] }],
    };
    expect(await messages(either, 'EIN,Amount\n1,5\n')).toEqual([]);
    expect(await messages(either, 'EIN,Amount\n1,5\n', 'EIN,Sum\n1,5\n', 'EIN,Total\n1,5\n')).toEqual([
      'column_not_found: `amount` is null in the records of 2 of 3 files (f2 and 1 more): they have no `Amuont` or `Amount`.',
    ]);
  });

  it('without a header know their columns by number', async () => {
    const plain = { ...csv, header: false, fields: [field('ein', '1'), field('amount', '5')] };
    expect(await messages(plain, '1,5\n')).toEqual([
      'column_not_found: `amount` is null everywhere: no record has `5`.',
    ]);
  });

  it('of fixed width end before a field in every line', async () => {
    const lines = fileEndpoint({
      parser: 'fixed_width',
      fields: [field('a', '', { paths: [], start: 1, length: 2 }), field('b', '', { paths: [], start: 9, length: 2 })],
    });
    expect(await messages(lines, '12\n345\n')).toHaveLength(1);
    expect(await messages(lines, '12\n345      x\n')).toEqual([]);
  });
});

describe('rows of CSV that end early', () => {
  const csv = fileEndpoint({ parser: 'csv' });
  it('are counted, with the first of them', async () => {
    expect(await messages(csv, 'a,b,c\n1,2,3\n1,2\n1\n')).toEqual([
      'short_rows: 2 rows have fewer cells than the header (first row 2 with 2 of 3): what is missing is null.',
    ]);
    expect(await messages(csv, 'a,b,c\n1,2\n')).toEqual([
      'short_rows: 1 row has fewer cells than the header (row 1 with 2 of 3): what is missing is null.',
    ]);
    expect(await messages(csv, 'a,b,c\n1,2,\n\n,,\n')).toEqual([]);
  });

  it('are told of an answer, too', async () => {
    const source = await startHttpSource((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/csv' }).end('a,b\n1,2\n3\n'),
    );
    try {
      const endpoint = restEndpoint({ response_format: 'csv', response_mapping: results(undefined, { x: 'a' }) });
      const { warnings } = await callRest(endpoint, { source });
      expect(warnings).toEqual([
        { code: 'short_rows', field: '', message: expect.stringContaining('1 row has fewer') as unknown },
      ]);
    } finally {
      await source.close();
    }
  });
});

describe('documents', () => {
  const fields = [field('id', 'id'), field('amount', 'amuont')];
  it('JSON: a field that is there as null, or in one record, is not missing', async () => {
    const json = fileEndpoint({ parser: 'json', list_element: ['rows'], fields });
    const of = (...rows: JsonObject[]): string => JSON.stringify({ rows });
    expect(await messages(json, of({ id: 1, amount: 5 }, { id: 2 }))).toEqual([
      'unknown_field: `amount` is null everywhere: no record has `amuont`. Did you mean `amount`?',
    ]);
    expect(await messages(json, of({ id: 1, amuont: null }, { id: 2 }))).toEqual([]);
    expect(await messages(json, of({ id: 1 }), of({ id: 2, amuont: 5 }))).toEqual([]);
    expect(await messages(json, of())).toEqual([]);
  });

  it('XML: an element that no file of the call has, groups by their name', async () => {
    const xml = fileEndpoint({
      parser: 'xml',
      list_element: ['r/row'],
      fields,
      groups: { lines: { list_element: ['r/line'], carry: [], fields: [field('n', 'nr'), field('t', '.')] } },
    });
    const row = '<row><id>1</id></row>';
    const told = 'unknown_field: `amount` is null everywhere: no record has `amuont`.';
    expect(await messages(xml, `<r>${row}</r>`, `<r>${row}</r>`)).toEqual([told]);
    expect(await messages(xml, `<r>${row}</r>`, '<r><row><id>1</id><amuont/></row></r>')).toEqual([]);
    expect(await warningsOf(xml, [`<r>${row}<line>x</line></r>`])).toEqual([
      expect.objectContaining({ field: 'amount' }),
      {
        code: 'unknown_field',
        field: 'n',
        group: 'lines',
        message: '`n` is null everywhere: no record of `lines` has `nr`.',
      },
    ]);
  });
});

describe('a call', () => {
  let source: HttpSource;
  let text = '';
  beforeAll(async () => {
    source = await startHttpSource((_request, response) => response.end(text));
  });
  afterAll(() => source.close());
  beforeEach(() => {
    text = 'EIN,Amount\n1,5\n';
  });

  it('has the warning beside its records', async () => {
    const { definition, problems } = readConnector(
      '{id: t, type: file_parser, connection: {source: [url], accepted_formats: [csv]}, endpoints: {e: {parser: csv, fields: [{field: ein, type: string, column: EIN}, {field: amount, type: number, column: Amuont}]}}}',
    );
    expect(problems).toEqual([]);
    const deps = connectorDeps({ allow: [{ host: '127.0.0.1', port: source.port }] });
    try {
      const call = { definition: definition!, endpoint: 'e', inputs: { urls: `${source.url}/a.csv` } };
      const result = await callEndpoint(deps, { ...call, context: testContext() });
      expect(result).toMatchObject({
        results: [{ ein: '1', amount: null }],
        warnings: [{ code: 'column_not_found', field: 'amount' }],
      });
    } finally {
      await deps.egress.close();
    }
  });
});
