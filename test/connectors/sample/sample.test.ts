import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { draftConnector } from '../../../core/connector/sample/draft-connector';
import type { FileConnector, FileEndpoint, RestConnector } from '../../../core/connector/types';
import { parseFile } from '../../../connectors/formats/parse-file';
import { readConnector } from '../../../connectors/definition/read-connector';
import { readSample } from '../../../connectors/sample/read-sample';
import { sampleAddress } from '../../../connectors/sample/sample-address';
import { DATA_DIR, describeWithData } from '../../support/data';

/** Records that the connector made from a sample reads in that sample. */
async function readBack(sample: string): Promise<{ records: object[]; warnings: object[] }> {
  const { definition, problems } = readConnector(draftConnector(readSample(sample, undefined), {}).source);
  expect(problems).toEqual([]);
  const endpoint = (definition as FileConnector).endpoints['read'] as FileEndpoint;
  const { records, warnings } = await parseFile(endpoint, Buffer.from(sample));
  return { records, warnings };
}

const XML = `<?xml version="1.0"?>
<a:feed xmlns:a="urn:a" xmlns="urn:b">
  <title>Both</title>
  <entry id="1"><name>A</name><sum>1.5</sum><who><first>X</first></who><tag>p</tag><tag>q</tag></entry>
  <entry id="2"><name>B</name><sum>2</sum><link href="u"/></entry>
</a:feed>`;

describe('what a sample shows, its own connector reads', () => {
  it('in XML: the largest group, attributes, nested and repeated elements', async () => {
    expect(readSample(XML, undefined)).toMatchObject({ format: 'xml', list: '/feed/entry', records: 2 });
    expect(await readBack(XML)).toEqual({
      records: [
        { id: 1, name: 'A', sum: 1.5, who_first: 'X', tag: ['p', 'q'], link_href: null },
        { id: 2, name: 'B', sum: 2, who_first: null, tag: null, link_href: 'u' },
      ],
      warnings: [],
    });
  });

  it('in XML of one record', async () => {
    expect((await readBack('<r v="2"><a>1</a><b><c>x</c></b></r>')).records).toEqual([{ v: 2, a: 1, b_c: 'x' }]);
  });

  it.each([
    [
      'commas',
      'Id,Full Name,Zip\n1,"A, B",02138\n2,C,10001\n',
      [
        { id: 1, full_name: 'A, B', zip: '02138' },
        { id: 2, full_name: 'C', zip: '10001' },
      ],
    ],
    ['semicolons', 'a;b\n1;2\n', [{ a: 1, b: 2 }]],
    ['tabs', 'a\tb\n1\tx\n', [{ a: 1, b: 'x' }]],
    ['bars', 'a|b\n1|x\n', [{ a: 1, b: 'x' }]],
    [
      'numbers alone',
      '1,2\n3,4\n',
      [
        { column_1: 1, column_2: 2 },
        { column_1: 3, column_2: 4 },
      ],
    ],
  ])('in CSV with %s', async (_what, sample, records) => {
    expect(await readBack(sample)).toEqual({ records, warnings: [] });
  });

  it('in JSON', async () => {
    expect((await readBack('{"data": {"rows": [{"Id": 1, "who": {"a.b": true}}]}}')).records).toEqual([
      { id: 1, who_a_b: true },
    ]);
  });
});

describe('a sample with an address', () => {
  it('of XML is read over HTTP by the same paths', () => {
    const { source } = draftConnector(
      readSample(XML, undefined),
      { id: 'f' },
      sampleAddress('https://a.test/x/feed.xml?kind=all'),
    );
    const { definition, problems } = readConnector(source);
    expect(problems).toEqual([]);
    expect((definition as RestConnector).endpoints['feed_xml']).toMatchObject({
      response_format: 'xml',
      parameters: [{ name: 'kind', default: 'all' }],
      response_mapping: {
        results_path: '/feed/entry',
        fields: { id: { path: '@id', transforms: [{ op: 'number' }] }, who_first: 'who/first' },
      },
    });
  });

  it('of a table with another mark is a file at an address', async () => {
    const { source } = draftConnector(readSample('a;b\n1;2\n', undefined), {}, sampleAddress('https://a.test/t.csv'));
    expect(readConnector(source)).toMatchObject({
      problems: [],
      definition: { type: 'file_parser', connection: { sources: ['upload', 'url'] } },
    });
  });

  it.each(['file:///etc/passwd', 'https://u:p@a.test/', 'no address', 'gopher://a.test'])(
    '%s is refused',
    (address) => {
      expect(() => sampleAddress(address)).toThrow();
    },
  );
});

describe('a sample that cannot be read', () => {
  it.each([
    ['{"a": 1,\n}', { code: 'invalid_sample', line: 2 }],
    ['<a>\n<b></a>', { code: 'invalid_sample', line: 2 }],
    ['<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', { code: 'invalid_sample' }],
    ['<!doctype html><p>', { code: 'invalid_sample' }],
    ['[1, 2]', { code: 'invalid_sample' }],
    ['a,b\n"x', { code: 'invalid_sample' }],
    [`${'['.repeat(5000)}${']'.repeat(5000)}`, { code: 'invalid_sample' }],
  ])('%s says why', (sample, problem) => {
    let thrown: unknown;
    try {
      readSample(sample, undefined);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: 'invalid_sample', problems: [problem] });
  });
});

describeWithData('fec', 'recorded answers', () => {
  it.each([
    ['fec/openfec_candidates_party_DEM.json', 'results'],
    ['fec/openfec_schedules_schedule_a_dev.json', 'results'],
    ['federal-register/documents_bears_ears.json', 'results'],
    ['courtlistener/search_opinions_dev.json', 'results'],
    ['propublica/organization_311124220.json', 'filings_with_data'],
  ])('%s: the list is found and read', async (name, list) => {
    const text = readFileSync(resolve(DATA_DIR, name), 'utf8');
    expect(readSample(text, undefined).list).toBe(list);
    const rows = (JSON.parse(text) as Record<string, unknown[]>)[list] ?? [];
    expect(await readBack(text)).toMatchObject({ records: { length: rows.length }, warnings: [] });
  });
});
