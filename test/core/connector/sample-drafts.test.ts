import { describe, expect, it } from '@jest/globals';
import { parseConnector } from '../../../core/connector/parse';
import { draftConnector } from '../../../core/connector/sample/draft-connector';
import type { SampleShape } from '../../../core/connector/sample/shape';

describe('the connector of a sample', () => {
  const shape = (more: Partial<SampleShape> = {}): SampleShape => ({
    format: 'csv',
    single: false,
    records: 1,
    fields: [
      { field: 'n', path: 'N', type: 'number' },
      { field: 'at', path: 'A.t', type: 'datetime' },
      { field: 'day', path: 'Day', type: 'date' },
      { field: 'odd', path: 'a"b', type: 'string' },
    ],
    delimiter: ',',
    header: true,
    unnamed: [],
    ...more,
  });
  const address = (query: [string, string][] = [], path = '/v1/items/') => ({
    base_url: 'https://api.a.test',
    path,
    query,
  });
  const read = (source: string) => {
    const { definition, problems } = parseConnector(source);
    if (definition === undefined) throw new Error(JSON.stringify(problems));
    return definition;
  };

  it('of a table over HTTP makes numbers of its texts, and leaves out columns that no path can hold', () => {
    const definition = read(draftConnector(shape(), {}, address()).source);
    expect(definition).toMatchObject({ id: 'api-a-test', name: 'api.a.test', type: 'rest_api' });
    expect(definition.endpoints['items']).toMatchObject({
      response_format: 'csv',
      response_mapping: {
        fields: { n: { path: 'N', transforms: [{ op: 'number', decimal: '.' }] }, at: '["A.t"]', day: 'Day' },
      },
      output_schema: {
        type: 'record_set',
        fields: [
          { name: 'n', type: 'number' },
          { name: 'at', type: 'string' },
          { name: 'day', type: 'date' },
        ],
      },
    });
  });

  it.each<[string, Partial<SampleShape>, object]>([
    ['another delimiter', { delimiter: ';' }, { delimiter: ';', header: true }],
    ['tabs', { delimiter: '\t' }, { delimiter: '\t' }],
    ['no header', { header: false }, { header: false, delimiter: ',' }],
  ])('of a table with %s reads files, also from addresses', (_what, more, endpoint) => {
    const definition = read(draftConnector(shape(more), {}, address()).source);
    expect(definition).toMatchObject({
      type: 'file_parser',
      connection: { sources: ['upload', 'url'], accepted_formats: ['csv'] },
    });
    expect(definition.endpoints['read']).toMatchObject(endpoint);
  });

  it('without an address reads what is uploaded', () => {
    const { source, credentials } = draftConnector(shape({ fields: [{ field: 'n', path: 'N', type: 'number' }] }), {});
    expect(credentials).toEqual([]);
    const definition = read(source);
    expect(definition).toMatchObject({ id: 'sample', name: 'Sample', connection: { sources: ['upload'] } });
    expect(definition.endpoints['read']).toMatchObject({ fields: [{ field: 'n', paths: ['N'], type: 'number' }] });
    const xml = shape({ format: 'xml', list: '/r/a', fields: [{ field: 'n', path: '@n', type: 'number' }] });
    const { delimiter: _delimiter, header: _header, ...bare } = xml;
    expect(read(draftConnector(bare, { id: 'x', name: 'X' }).source)).toMatchObject({
      id: 'x',
      name: 'X',
      endpoints: { read: { parser: 'xml', list_element: ['/r/a'], fields: [{ paths: ['@n'] }] } },
    });
  });

  it.each([
    ['/v1/items/', 'items'],
    ['/v1/items/17', 'items'],
    ['/', 'read'],
    ['/2024/1', 'read'],
    [`/${'a'.repeat(70)}`, 'a'.repeat(63)],
  ])('calls the endpoint of %s %s', (path, name) => {
    expect(Object.keys(read(draftConnector(shape(), {}, address([], path)).source).endpoints)).toEqual([name]);
  });

  it.each([
    ['key', true],
    ['api_key', true],
    ['apikey', true],
    ['Access-Token', true],
    ['client_secret', true],
    ['signature', true],
    ['appid', true],
    ['monkey', false],
    ['key_word', false],
    ['api_keys', false],
    ['q', false],
  ])('takes the parameter %s for a credential: %s', (name, secret) => {
    const made = draftConnector(shape(), { id: '7up' }, address([[name, 'value-of-it']]));
    expect(made.credentials).toEqual(secret ? [name] : []);
    expect(made.source.includes('value-of-it')).toBe(!secret);
    const auth = secret ? { type: 'api_key', key_param: name, secret: { secret: '_7up_key' } } : { type: 'none' };
    expect(read(made.source).connection).toMatchObject({ auth });
  });

  it.each([
    ['7up', '_7up_key'],
    ['seven-7-up', 'seven_7_up_key'],
    ['up7', 'up7_key'],
  ])('names the secret of %s %s', (id, secret) => {
    const { source } = draftConnector(shape(), { id }, address([['api_key', 'x']]));
    expect(read(source).connection).toMatchObject({ auth: { secret: { secret } } });
  });

  it.each(['123456789012345.12345', '1.10', '1e400', '1e3', '+5', '5.0', '0x1F', '007', '9007199254740993'])(
    'keeps the digits of %s as a text',
    (text) => {
      const { endpoints } = read(draftConnector(shape(), {}, address([['v', text]])).source);
      expect(endpoints['items']).toMatchObject({ parameters: [{ name: 'v', type: 'string', default: text }] });
    },
  );

  it('keeps the other parameters with their values', () => {
    const query: [string, string][] = [
      ['n', '5'],
      ['f', '0.5'],
      ['yes', 'TRUE'],
      ['no', 'false'],
      ['empty', ''],
      ['day', '2024-01-31'],
      ['many', 'a'],
      ['many', '2'],
      ['not a name', 'x'],
    ];
    const { endpoints } = read(draftConnector(shape(), {}, address(query)).source);
    expect(endpoints['items']).toMatchObject({
      parameters: [
        { name: 'n', type: 'integer', default: 5 },
        { name: 'f', type: 'number', default: 0.5 },
        { name: 'yes', type: 'boolean', default: true },
        { name: 'no', type: 'boolean', default: false },
        { name: 'empty', type: 'string' },
        { name: 'day', type: 'date', default: '2024-01-31' },
        { name: 'many', type: 'array', default: ['a', '2'] },
      ],
    });
  });
});
