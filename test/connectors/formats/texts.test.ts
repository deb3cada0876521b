import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../core/base/json';
import type { FileEndpoint, FileField } from '../../../core/connector/types';
import { parseFile } from '../../../connectors/formats/parse-file';
import type { ParsedFile } from '../../../connectors/formats/parsed-file';
import { fileEndpoint } from './endpoint';
import { zip } from './zip';

type Given = Partial<FileEndpoint> & Pick<FileEndpoint, 'parser'>;
const read = (given: Given, content: string | Uint8Array): Promise<ParsedFile> =>
  parseFile(fileEndpoint(given), typeof content === 'string' ? Buffer.from(content) : content);

describe('JSON and JSON Lines', () => {
  it.each([
    ['a list', '[{"a":1},{"a":2}]', [{ a: 1 }, { a: 2 }]],
    ['lines', '{"a":1}\n\n{"a":2}\r\n', [{ a: 1 }, { a: 2 }]],
    ['lines behind a byte order mark', '\ufeff{"a":1}\n{"a":2}', [{ a: 1 }, { a: 2 }]],
    ['one line', '{"a":1}\n', [{ a: 1 }]],
    ['one value over several lines', '{\n"a":1}\n', [{ a: 1 }]],
    ['of duplicate keys the last', '{"a":1,"a":2}', [{ a: 2 }]],
    ['a number beyond a double', '{"a":1e400}', [{ a: '1e400' }]],
  ])('%s', async (_name, text, records) => {
    expect((await read({ parser: 'json' }, text)).records).toEqual(records);
  });

  // No list is not an empty list: an error in place of the file is another document.
  it('a document without its records, or without any of the fields, is another one', async () => {
    const fields = ['id', 'n'].map((name): FileField => ({ field: name, type: 'string', paths: [name] }));
    for (const text of ['{"error":"no"}', 'null', '"error"', '42', '[{"x":1}]', '{}'])
      await expect(read({ parser: 'json', fields }, text)).rejects.toMatchObject({ code: 'records_not_found' });
    for (const text of ['{"error":"no"}', '{"items":null}', '[]'])
      await expect(read({ parser: 'json', list_element: ['items'] }, text)).rejects.toMatchObject({
        code: 'records_not_found',
      });
    for (const text of ['{"items":[]}', '{"items":[{"id":null}]}', '{"items":{"n":"x"}}'])
      expect((await read({ parser: 'json', list_element: ['rows', 'items'], fields }, text)).warnings).toEqual([]);
    expect((await read({ parser: 'json', fields }, '[]')).records).toEqual([]);
    expect((await read({ parser: 'json', fields: fields.slice(1) }, '{"x":1}')).records).toEqual([{ n: null }]);
  });

  it.each([
    ['a line that is none', '{"a":1}\n{"a":2}\n{"a":\n', { line: 3 }],
    ['two values on one line', '{"a":1}{"a":2}\n{"a":3}', { line: 1 }],
    ['NaN', '{"a":NaN}', { line: 1 }],
    ['nothing', '', { line: 1 }],
    ['depth', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, {}],
  ])('F18d: %s is refused', async (_name, text, place) => {
    await expect(read({ parser: 'json' }, text)).rejects.toMatchObject({ code: 'malformed_json', place });
  });

  const field = (name: string, type: FileField['type'], path = name) => ({ field: name, paths: [path], type });
  const deep = `${'['.repeat(600)}${']'.repeat(600)}`;

  it.each<[string, FileField['type'], string, Json]>([
    ['as a text', 'string', '12345678901234567890', '12345678901234567890'],
    ['as anything', 'any', '12345678901234567890', '12345678901234567890'],
    ['inside of a list', 'array', '[1, -12345678901234567890]', [1, '-12345678901234567890']],
    ['that a double can hold', 'number', '1e300', 1e300],
    ['of 16 digits', 'integer', '9007199254740991', 9007199254740991],
  ])(
    'a large number that is taken %s is what was written, also in a group and in lines',
    async (_name, type, text, is) => {
      const fields = [field('id', type, 'a.id')];
      const record = `{"a":{"id":${text}},"b":1}`;
      expect((await read({ parser: 'json', fields }, `[${record}]`)).records).toEqual([{ id: is }]);
      expect((await read({ parser: 'json', fields }, `${record}\n${record}\n`)).records).toEqual([
        { id: is },
        { id: is },
      ]);
      const groups = { g: { list_element: ['list'], fields, carry: [] } };
      const grouped = await read(
        { parser: 'json', fields: [field('b', 'number')], groups },
        `{"b":1,"list":[${record}]}`,
      );
      expect(grouped.groups).toEqual({ g: [{ id: is }] });
    },
  );

  it('what is taken must not be nested too deeply; what is passed over may', async () => {
    const text = `{"name":"x","deep":${deep},"far":1e400}`;
    expect((await read({ parser: 'json', fields: [field('name', 'string')] }, text)).records).toEqual([{ name: 'x' }]);
    for (const [name, type] of [
      ['deep', 'any'],
      ['deep', 'string'],
    ] as const) {
      const taken = read({ parser: 'json', fields: [field('name', 'string'), field(name, type)] }, text);
      await expect(taken).rejects.toMatchObject({ code: 'malformed_json' });
    }
    const whole = read({ parser: 'json', list_element: ['deep'] }, `{"deep":[${deep}]}`);
    await expect(whole).rejects.toMatchObject({ code: 'malformed_json' });
  });
});

const W =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';
const docx = (body: string, more: { name: string; data: string }[] = []): Buffer =>
  zip([{ name: 'word/document.xml', data: `<w:document ${W}><w:body>${body}</w:body></w:document>` }, ...more]);
const p = (text: string, style = ''): string =>
  `<w:p>${style === '' ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;

describe('DOCX', () => {
  const body = `${p('One', 'Heading1')}<w:p/><w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:br w:type="page"/></w:r>
    <w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins><w:r><w:t>!</w:t></w:r></w:ins></w:p>
    <w:tbl><w:tr><w:tc>${p('h1')}</w:tc><w:tc>${p('h2')}</w:tc></w:tr><w:tr><w:tc>${p('1')}${p('2')}</w:tc><w:tc/></w:tr></w:tbl>
    <w:sdt><w:sdtContent>${p('inside')}</w:sdtContent></w:sdt>
    <w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent>${p('box')}</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>${p('box')}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>`;
  const file = docx(body, [{ name: 'word/header1.xml', data: `<w:hdr ${W}>${p('Head')}</w:hdr>` }]);

  it('paragraphs and tables in their order', async () => {
    expect((await read({ parser: 'docx' }, file)).records).toEqual([
      { block: 1, kind: 'paragraph', style: 'Heading1', text: 'One', rows: null },
      { block: 2, kind: 'paragraph', style: null, text: 'a\tb\nc!', rows: null },
      {
        block: 3,
        kind: 'table',
        style: null,
        text: 'h1\th2\n1\n2\t',
        rows: [
          ['h1', 'h2'],
          ['1\n2', ''],
        ],
      },
      { block: 4, kind: 'paragraph', style: null, text: 'inside', rows: null },
      { block: 5, kind: 'paragraph', style: null, text: 'box', rows: null },
    ]);
  });
  it('other parts by `list_element` and groups', async () => {
    const groups = {
      tables: {
        list_element: ['tables'],
        fields: [{ field: 'first', paths: ['rows[0][0]'], type: 'string' as const }],
        carry: [],
      },
    };
    const parsed = await read({ parser: 'docx', list_element: ['headers'], groups }, file);
    expect(parsed).toMatchObject({
      records: [{ part: 'header1.xml', text: 'Head' }],
      groups: { tables: [{ first: 'h1' }] },
    });
    const whole = await read({ parser: 'docx', list_element: ['document'] }, file);
    expect(whole.records).toEqual([{ text: 'One\na\tb\nc!\nh1\th2\n1\n2\t\ninside\nbox' }]);
  });
  it.each([
    ['cut off', file.subarray(0, 400), 'malformed_archive'],
    ['without a document', zip([{ name: 'x', data: 'x' }]), 'malformed_archive'],
    ['with a damaged document', zip([{ name: 'word/document.xml', data: '<w:document' }]), 'malformed_xml'],
    [
      'with an external entity',
      zip([{ name: 'word/document.xml', data: '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>' }]),
      'xml_entities_refused',
    ],
    ['of the older kind', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0]), 'file_encrypted'],
    ['nested without end', docx('<w:sdt>'.repeat(50_000) + '</w:sdt>'.repeat(50_000)), 'file_too_complex'],
  ])('P05: a file %s is refused', async (_what, bytes, code) => {
    await expect(read({ parser: 'docx' }, bytes)).rejects.toMatchObject({ code });
  });
});

/** One page with one line of text, as small as a PDF can be. */
function pdf(text: string): Buffer {
  const stream = `BT /F1 12 Tf 20 100 Td (${text}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const xref = file.length;
  return Buffer.from(
    `${file}xref\n0 6\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`,
  );
}

describe('PDF', () => {
  it('a record a page; the whole as `document`; a page without text is said', async () => {
    expect(await read({ parser: 'pdf' }, pdf('Hello you'))).toMatchObject({
      records: [{ page: 1, text: 'Hello you' }],
      warnings: [],
    });
    const whole = await read({ parser: 'pdf', list_element: ['document'] }, pdf('Hello'));
    expect(whole.records).toEqual([{ page_count: 1, text: 'Hello' }]);
    expect((await read({ parser: 'pdf' }, pdf(''))).warnings).toEqual([expect.objectContaining({ field: 'text' })]);
  });
  it.each([
    ['no PDF', Buffer.from('hello')],
    ['nothing', Buffer.alloc(0)],
    ['only the beginning of one', Buffer.from('%PDF-1.4\n1 0 obj\n<<')],
  ])('%s is refused', async (_what, bytes) => {
    await expect(read({ parser: 'pdf' }, bytes)).rejects.toMatchObject({ code: 'malformed_pdf' });
  });
});

describe('FEC filings', () => {
  const S = '\x1c';
  const line = (...cells: string[]): string => cells.join(S);
  const filing = [
    line('HDR', 'FEC', '8.3', 'Soft', '1'),
    line('F3XN', 'C00000001', '"A, B"', '', 'Street'),
    line(
      'SA11AI',
      'C00000001',
      'T1',
      '',
      '',
      'IND',
      '',
      'Doe',
      'Jane',
      ...Array<string>(10).fill(''),
      '20240229',
      '10.50',
      '20.00',
    ),
    line('SB21B', 'C00000001', 'T2', '', '', 'ORG', 'Payee'),
    line('ZZ9', 'C00000001', 'raw'),
    '[BEGINTEXT]',
    'Dear all,',
    'bye',
    '[ENDTEXT]',
  ].join('\n');

  it('columns by form and version; what is not known is given by number', async () => {
    const { records } = await read({ parser: 'fec' }, filing);
    expect(records).toMatchObject([
      {
        line: 3,
        record_type: 'SA11AI',
        transaction_id: 'T1',
        contributor_last_name: 'Doe',
        contribution_date: '2024-02-29',
        contribution_amount: '10.50',
      },
      { line: 4, record_type: 'SB21B', payee_organization_name: 'Payee', expenditure_amount: null },
      { line: 5, record_type: 'ZZ9', columns: ['ZZ9', 'C00000001', 'raw'] },
    ]);
  });
  it('record types, cover, header and text', async () => {
    const fields = [
      { field: 'who', paths: ['contributor_last_name', 'payee_organization_name'], type: 'string' as const },
      { field: 'amount', paths: ['contribution_amount'], type: 'number' as const },
    ];
    expect((await read({ parser: 'fec', record_types: ['sa'], fields }, filing)).records).toEqual([
      { who: 'Doe', amount: 10.5 },
    ]);
    const cover = await read({ parser: 'fec', list_element: ['filing'] }, filing);
    expect(cover.records).toMatchObject([
      { line: 2, record_type: 'F3XN', committee_name: 'A, B', a_19_receipts_total: null },
    ]);
    const text = { letter: { list_element: ['text'], fields: [], carry: [] } };
    expect((await read({ parser: 'fec', groups: text }, filing)).groups).toEqual({
      letter: [{ value: 'Dear all,\nbye' }],
    });
  });
  it('comma-separated versions, quotes and all', async () => {
    const old =
      '"HDR","FEC","5.00","Soft","1"\n"F3N","C1","He said ""no"", twice",08\n"SA11C","C1","PAC","Roe^Richard",x y , 1\n';
    const cover = await read({ parser: 'fec', list_element: ['filing'] }, old);
    expect(cover.records).toMatchObject([{ committee_name: 'He said "no", twice', street_1: '08' }]);
    expect((await read({ parser: 'fec' }, old)).records).toMatchObject([
      { contributor_name: 'Roe^Richard', contributor_street_1: 'x y', contributor_street_2: '1' },
    ]);
  });
  it.each([
    ['no header', 'F3XN\x1cC1\n', 1],
    ['nothing', '', 1],
    ['no cover', 'HDR\x1cFEC\x1c8.3\n', 2],
    ['a text without end', 'HDR\x1cFEC\x1c8.3\nF99\x1cC1\n[BEGINTEXT]\nx\n', 3],
  ])('%s is refused with its line', async (_what, text, number) => {
    await expect(read({ parser: 'fec' }, text)).rejects.toMatchObject({
      code: 'malformed_fec',
      place: { line: number },
    });
  });
});
