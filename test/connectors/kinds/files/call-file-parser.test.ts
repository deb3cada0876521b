import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../../core/base/json';
import { AppError } from '../../../../core/errors/app-error';
import { readConnector } from '../../../../connectors/definition/read-connector';
import { startHttpSource } from '../../../support/http-source';
import type { HttpSource } from '../../../support/http-source';
import { connectorDeps, testContext, callEndpoint } from '../../../support/connector-deps';
import { newFolder } from '../../../support/run-folder';
import type { DocumentSource } from '../../../../connectors/kinds/files/sources/document-source';
import type { EndpointResult } from '../../../../connectors/call/connector-call';

const CANARY = 'canary-content';
const DOC = '11111111-1111-4111-8111-111111111111';
let base: string;
let root: string;
let source: HttpSource;

beforeAll(async () => {
  base = newFolder('files');
  root = join(base, 'granted');
  await mkdir(join(root, 'sub'), { recursive: true });
  await mkdir(join(base, 'granted-not'), { recursive: true });
  await writeFile(join(base, 'secret.xml'), `<r><row><a>${CANARY}</a></row></r>`);
  await writeFile(join(base, 'granted-not', 'x.xml'), `<r><row><a>${CANARY}</a></row></r>`);
  await writeFile(
    join(root, 'one.xml'),
    '<r xmlns="urn:x"><row id="7"><a> 1 </a><b>x</b><b>y</b></row><row><a>no</a></row></r>',
  );
  await writeFile(join(root, 'sub', 'two.xml'), '<r><row><a>2</a></row></r>');
  await writeFile(join(root, 'note.txt'), 'not accepted');
  await symlink(join(base, 'secret.xml'), join(root, 'link.xml'));
  await symlink(join(root, 'sub', 'two.xml'), join(root, 'inside.xml'));
  await symlink(base, join(root, 'up'));
  execFileSync('mkfifo', [join(root, 'pipe.xml')]);
  source = await startHttpSource((request, response) => {
    if (request.url === '/gone.xml') {
      response.writeHead(404).end();
    } else {
      response.end('<r><row><a>5</a></row></r>');
    }
  });
});
afterAll(async () => {
  await rm(base, { recursive: true });
  await source.close();
});

const XML = `{parser: xml, list_element: r/row, fields: [{field: a, xpath: a, type: integer}, {field: b, xpath: b, join: true}, {field: id, xpath: '@id'}]}`;

async function run(
  endpoint: string,
  inputs: JsonObject,
  more: { documents?: DocumentSource; sources?: string; formats?: string } = {},
): Promise<EndpointResult> {
  const text = `{id: t, type: file_parser, connection: {source: ${more.sources ?? '[directory, upload, url]'}, accepted_formats: ${more.formats ?? '[xml, csv, json]'}, max_file_size_mb: 1}, endpoints: {e: ${endpoint}}}`;
  const { definition, problems } = readConnector(text);
  expect(problems).toEqual([]);
  const deps = connectorDeps({
    importRoots: [root],
    defaultDirectory: root,
    allow: [{ host: '127.0.0.1', port: source.port }],
    ...(more.documents === undefined ? {} : { documents: more.documents }),
  });
  try {
    return await callEndpoint(deps, { definition: definition!, endpoint: 'e', inputs, context: testContext() });
  } finally {
    await deps.egress.close();
  }
}
const document = (name: string, text: string | Buffer): DocumentSource => ({
  find: (_owner, id) =>
    Promise.resolve(
      id === DOC ? { name, size: text.length, read: () => Promise.resolve(Buffer.from(text)) } : undefined,
    ),
});
const upload = (endpoint: string, name: string, text: string | Buffer): Promise<EndpointResult> =>
  run(endpoint, { documents: [DOC] }, { documents: document(name, text) });

describe('P01: directories', () => {
  it('reads plain files of an accepted format; a link counts by where it leads, a pipe is no file', async () => {
    const result = await run(XML, {});
    expect(result['results']).toEqual([
      { file: 'inside.xml', file_id: 'inside.xml', a: 2, b: null, id: null },
      { file: 'one.xml', file_id: 'one.xml', a: 1, b: 'x y', id: '7' },
      { file: 'one.xml', file_id: 'one.xml', a: null, b: null, id: null },
    ]);
    expect(result['errors']).toEqual([expect.objectContaining({ file: 'link.xml', code: 'path_not_allowed' })]);
    expect(result['warnings']).toEqual([expect.objectContaining({ file: 'one.xml', field: 'a' })]);
    expect(JSON.stringify(result)).not.toContain(CANARY);
  });
  it.each(['../', '..', 'sub/../..', '/etc', '%2e%2e', '..%2f', 'sub\\..', 'a\0b', '/dev', '/proc/self', 'up', '', 7])(
    '%j leads nowhere else',
    async (directory) => {
      const outcome = await run(XML, { directory: directory }).then(
        (result) => JSON.stringify(result),
        (error: AppError) => `${error.code} ${error.category}`,
      );
      expect(outcome).not.toContain(CANARY);
      if (directory !== '') {
        expect(['directory_not_allowed bad_request', 'invalid_input bad_request']).toContain(outcome);
      }
    },
  );
  it('a directory beside a root whose name begins alike is not below it', async () => {
    await expect(run(XML, { directory: join(base, 'granted-not') })).rejects.toMatchObject({
      code: 'directory_not_allowed',
    });
  });
  it('the refusal names the setting and the granted directories, but not where they lie', async () => {
    const refused = await run(XML, { directory: '/etc' }).catch((error: unknown) => error as AppError);
    expect(refused).toMatchObject({ code: 'directory_not_allowed', details: { setting: 'AF_IMPORT_DIRS' } });
    const { message } = refused as AppError;
    expect(message).toContain('below a directory that AF_IMPORT_DIRS grants (`granted`)');
    expect(message).not.toContain(base);
  });
  it('a directory below a root, absolute or relative', async () => {
    expect((await run(XML, { directory: 'sub' }))['count']).toBe(1);
    expect((await run(XML, { directory: join(root, 'sub') }))['count']).toBe(1);
  });
  it.each(['../secret.xml', '/etc/passwd', 'sub/two.xml', '..', '.', '', 'a\0.xml'])(
    'the file name %j is refused',
    async (name) => {
      await expect(run(XML, { directory: root, files: [name] })).rejects.toMatchObject({
        code: 'invalid_file_name',
        category: 'bad_request',
      });
    },
  );
  it.each([
    ['link.xml', 'path_not_allowed'],
    ['pipe.xml', 'path_not_allowed'],
    ['note.txt', 'format_not_accepted'],
    ['nothing.xml', 'file_not_found'],
  ])('%s alone fails as %s: a source of which nothing was read is never an empty result', async (name, code) => {
    await expect(run(XML, { directory: root, files: [name] })).rejects.toMatchObject({ code });
  });
});

describe('uploads and addresses', () => {
  it('documents by id or as records of another step', async () => {
    const documents = document('x.xml', '<r><row><a>9</a></row></r>');
    for (const given of [DOC, [DOC], [{ id: DOC, name: 'x.xml' }]] as Json[]) {
      expect((await run(XML, { documents: given }, { documents }))['results']).toMatchObject([{ file_id: DOC, a: 9 }]);
    }
    await expect(run(XML, { documents: ['../../etc/passwd'] }, { documents })).rejects.toMatchObject({
      code: 'invalid_document_id',
    });
    await expect(run(XML, { documents: [DOC.replace('1', '2')] }, { documents })).rejects.toMatchObject({
      code: 'document_not_found',
    });
    await expect(upload(XML, 'x.exe', 'MZ')).rejects.toMatchObject({ code: 'format_not_accepted' });
    await expect(upload(XML, 'x.xml', Buffer.alloc(2_000_000))).rejects.toMatchObject({ code: 'file_too_large' });
  });
  it('addresses through the guard, each on its own', async () => {
    const result = await run(XML, {
      urls: [`${source.url}/a.xml`, `${source.url}/gone.xml`, 'http://169.254.169.254/b.xml', 'file:///etc/passwd'],
    });
    expect(result['results']).toMatchObject([{ file: 'a.xml', a: 5 }]);
    expect((result['errors'] as JsonObject[]).map((error) => error['code'])).toEqual([
      'upstream_status',
      'egress_denied',
      'egress_denied',
    ]);
  });
  it('one source a call, and only those of the connector', async () => {
    await expect(run(XML, { directory: root, documents: [DOC] })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(run(XML, {}, { sources: 'upload' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('`documents`'),
    });
  });
  it('an outage of our own store is no fault of the file', async () => {
    const outage = new AppError('database_unavailable', 'away', { category: 'unavailable', retryable: true });
    await expect(run(XML, { documents: [DOC] }, { documents: { find: () => Promise.reject(outage) } })).rejects.toBe(
      outage,
    );
  });
});

describe('P05, P07: hostile XML', () => {
  const laughs = `<!DOCTYPE r [<!ENTITY a "${'ha'.repeat(50)}">${'bcdefghij'
    .split('')
    .map((name, at) => `<!ENTITY ${name} "${`&${'abcdefghi'[at]};`.repeat(10)}">`)
    .join('')}]><r><row><a>&j;</a></row></r>`;
  it.each([
    ['an entity bomb', laughs, 'xml_entities_refused', 1],
    [
      'an external entity',
      '<!DOCTYPE r [\n<!ENTITY x SYSTEM "file:///etc/passwd">]><r><row><a>&x;</a></row></r>',
      'xml_entities_refused',
      2,
    ],
    [
      'a parameter entity',
      '<!DOCTYPE r [<!ENTITY % x SYSTEM "http://127.0.0.1/x">%x;]><r/>',
      'xml_entities_refused',
      1,
    ],
    ['a file that ends early', '<r>\n<row><a>1</a>', 'malformed_xml', 2],
    ['a file whose root is never closed', '<r>\n<row><a>1</a></row>\n', 'malformed_xml', 3],
    ['a fault behind blank lines', '\n\n<?xml version="1.0"?><r>\n<row>a & b</row></r>', 'malformed_xml', 4],
    ['a bare ampersand', '<r>\n\n<row><a>a & b</a></row></r>', 'malformed_xml', 3],
    ['an empty file', '', 'malformed_xml', 1],
    ['something else', 'PK\u0003\u0004', 'malformed_xml', 1],
    ['Latin-1 that says UTF-8', Buffer.from('<r>\n<row><a>caf\xe9</a></row></r>', 'latin1'), 'wrong_encoding', 2],
  ] as [string, string | Buffer, string, number][])('%s is refused with its place', async (_name, text, code, line) => {
    const error = (await upload(XML, 'x.xml', text).catch((caught: unknown) => caught)) as AppError;
    expect(error).toMatchObject({ code });
    expect((error.details['errors'] as JsonObject[])[0]).toMatchObject({ line, column: expect.any(Number) });
    expect(error.message).not.toContain('root:');
  });
  it('a document type without entities, blank lines before the declaration, and depth, are no harm', async () => {
    const late = '\ufeff\n <?xml version="1.0" encoding="utf-8"?>\n<r><row><a>1</a></row></r>';
    expect((await upload(XML, 'x.xml', late))['results']).toMatchObject([{ a: 1 }]);
    expect(
      (await upload(XML, 'x.xml', '<!DOCTYPE r SYSTEM "http://127.0.0.1:1/r.dtd"><r><row><a>1</a></row></r>'))['count'],
    ).toBe(1);
    const deep = `<r>${'<d>'.repeat(3_000)}${'</d>'.repeat(3_000)}<row><a>1</a></row></r>`;
    expect((await upload(XML, 'x.xml', deep))['count']).toBe(1);
  });
});

describe('formats', () => {
  it('XML with given namespaces, alternatives and groups', async () => {
    const endpoint = `{parser: xml, namespaces: {n: 'urn:n'}, root_element: n:r, fields: [{field: t, paths: ['n:old', 'n:new']}],
      groups: {rows: {list_element: ['n:row', other], carry: [t], fields: [{field: v, xpath: '.', type: number}]}}}`;
    const result = await upload(
      endpoint,
      'x.xml',
      '<q:r xmlns:q="urn:n"><q:new>T</q:new><q:row>1.5</q:row><row>no</row><other>2</other></q:r>',
    );
    expect(result['results']).toMatchObject([{ t: 'T' }]);
    expect(result['rows']).toEqual([
      { file: 'x.xml', file_id: DOC, t: 'T', v: 1.5 },
      { file: 'x.xml', file_id: DOC, t: 'T', v: 2 },
    ]);
    await expect(upload(endpoint, 'x.xml', '<r/>')).rejects.toMatchObject({ code: 'root_not_found' });
  });
  it('UTF-16 and a byte order mark', async () => {
    const text = '<?xml version="1.0" encoding="utf-16"?><r><row><a>4</a><b>é</b></row></r>';
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    expect((await upload(XML, 'x.xml', utf16))['results']).toMatchObject([{ a: 4, b: 'é' }]);
    expect((await upload(XML, 'x.xml', '\ufeff<r><row><a>3</a></row></r>'))['results']).toMatchObject([{ a: 3 }]);
  });
  it('CSV: delimiter, quoting, types, missing columns', async () => {
    const endpoint = `{parser: csv, delimiter: ';', fields: [{field: n, column: [Name, NAME]}, {field: v, column: Value, type: number}, {field: d, column: When, type: date}]}`;
    const result = await upload(endpoint, 'x.csv', '\ufeffNAME;Value;Extra\n"a;""b""";1.5;z\nc;x;\n');
    expect(result['results']).toMatchObject([
      { n: 'a;"b"', v: 1.5, d: null },
      { n: 'c', v: null },
    ]);
    expect(result['warnings']).toMatchObject([{ code: 'column_not_found', field: 'd' }, { field: 'v' }]);
    await expect(upload(endpoint, 'x.csv', 'other\n1\n')).rejects.toMatchObject({ code: 'columns_not_found' });
    await expect(upload(endpoint, 'x.csv', 'NAME;Value\n"open\n')).rejects.toMatchObject({ code: 'malformed_csv' });
  });
  it('CSV without header or fields', async () => {
    expect(
      (await upload('{parser: csv, header: false, fields: [{field: x, column: "2"}]}', 'x.csv', 'a,b\nc,d\n'))[
        'results'
      ],
    ).toMatchObject([{ x: 'b' }, { x: 'd' }]);
    expect((await upload('{parser: csv}', 'x.csv', 'p,q\n1,2\n'))['results']).toMatchObject([{ p: '1', q: '2' }]);
  });
  it('JSON: lists, paths, groups, and the place of a fault', async () => {
    const endpoint = `{parser: json, fields: [{field: name, paths: [org.name]}], groups: {people: {list_element: org.people, carry: [name], fields: [{field: who, paths: [n]}, {field: born, paths: [b], type: datetime}]}}}`;
    const result = await upload(
      endpoint,
      'x.json',
      '{"org":{"name":"X","people":[{"n":"A","b":"2020-01-01T10:00:00+02:00"},{"n":"B"}]}}',
    );
    expect(result['people']).toMatchObject([
      { name: 'X', who: 'A', born: '2020-01-01T08:00:00Z' },
      { name: 'X', who: 'B', born: null },
    ]);
    const error = (await upload(endpoint, 'x.json', '{\n "a": 1,\n "b" 2}').catch(
      (caught: unknown) => caught,
    )) as AppError;
    expect(error).toMatchObject({ code: 'malformed_json' });
    expect((error.details['errors'] as JsonObject[])[0]).toMatchObject({ line: 3 });
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    await expect(upload(endpoint, 'x.json', `{"org":{"name":${deep}}}`)).rejects.toMatchObject({
      code: 'malformed_json',
    });
  });
  it('a prototype in data is data', async () => {
    const result = await upload(
      '{parser: json, fields: [{field: a, paths: [__proto__.x, constructor.name, a]}]}',
      'x.json',
      '{"__proto__": {"x": "own"}, "a": 1}',
    );
    expect(result['results']).toMatchObject([{ a: 'own' }]);
    expect(({} as JsonObject)['x']).toBeUndefined();
  });
});
