import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { read, utils } from '@e965/xlsx';
import type { Json, JsonObject } from '../../core/base/json';
import { OWNER } from '../db/db-fixture';
import { DataFixture } from './data-fixture';

let fixture: DataFixture;
beforeAll(async () => {
  fixture = await DataFixture.start();
});
afterAll(() => fixture.stop());

async function route(destinations: Json, data: Json): Promise<{ output: JsonObject; report: JsonObject[] }> {
  const output = await fixture.run('route_output', { data }, { destinations });
  return { output, report: output.routing_report as JsonObject[] };
}
const details = (entry: JsonObject | undefined) => entry?.details as JsonObject;

describe('values that route_output writes', () => {
  it('keeps what is not there, null, an empty list and failed items apart (grants-skip.yaml)', async () => {
    const formats = ['markdown', 'json', 'csv', 'xlsx'];
    const destinations: Json = formats.map((format) => ({ type: 'document', format }));
    const absent = await fixture.run('route_output', {}, { destinations });
    const report = absent.routing_report as JsonObject[];
    expect(report.map(({ status, code }) => code ?? status)).toEqual([
      'success',
      'not_computed',
      'not_computed',
      'success',
    ]);
    expect(report[2]?.message).toBe('There is nothing to write. Not computed: data is not there.');
    expect(await fixture.content(details(report[0]).document_id)).toBe('_Not computed: data is not there_\n');
    const shown = async (data: Json): Promise<unknown[]> => {
      const { report: of } = await route(destinations, data);
      const { Sheets } = read(await fixture.bytes(details(of[3]).document_id));
      return [
        await fixture.content(details(of[0]).document_id),
        JSON.parse(await fixture.content(details(of[1]).document_id)),
        Object.values(Sheets).map((sheet) => utils.sheet_to_json(sheet, { header: 1 })),
        details(of[2]).meta_document_id !== undefined,
      ];
    };
    expect(await shown(null)).toEqual(['_No value (null)._\n', null, [[['No value (null).']]], false]);
    expect(await shown([])).toEqual(['_No rows._\n', [], [[['No rows.']]], false]);
    const missing = '1 of 2 elements are null, and not shown';
    expect(await shown([null, { n: 1 }])).toEqual([
      `| n |\n| --- |\n| 1 |\n\n_${missing}._\n`,
      [null, { n: 1 }],
      [
        [['n'], [1]],
        [
          ['report', ''],
          ['missing', missing],
        ],
      ],
      true,
    ]);
  });

  it('adds nothing to a document from what was not computed', async () => {
    const { report } = await route([{ type: 'document', format: 'csv', config: { filename: 'kept.csv' } }], [{ a: 1 }]);
    const id = details(report[0]).document_id ?? null;
    const destinations: Json = [{ type: 'append_to_existing', format: 'csv', config: { document_id: id } }];
    const facts = { sections: [['big failed: no']] };
    for (const output of [
      await fixture.run('route_output', {}, { destinations }),
      await fixture.run('$output', { title: 'T', sections: [{ title: 'A', source: 'b' }] }, { destinations, facts }),
    ])
      expect((output.routing_report as JsonObject[])[0]).toMatchObject({ status: 'error', code: 'not_computed' });
    expect(await fixture.content(id)).toBe('a\n1\n');
  });

  it('keeps the written text of numbers that no double holds, in every format and in what is added to', async () => {
    const row = { id: '12345678901234567890', share: '0.1234567890123456789', huge: '1e400', price: '1.10', n: 0.1 };
    const formats = ['markdown', 'json', 'csv', 'xlsx'];
    const { report } = await route(
      formats.map((format) => ({ type: 'document', format })),
      [row],
    );
    const ids = report.map((entry) => details(entry).document_id ?? null);
    const cells = Object.values(row).map(String);
    expect(await fixture.content(ids[0])).toContain(`| ${cells.join(' | ')} |`);
    expect(JSON.parse(await fixture.content(ids[1]))).toEqual([row]);
    expect((await fixture.content(ids[2])).split('\n')[1]).toBe(cells.join(','));
    const sheet = read(await fixture.bytes(ids[3])).Sheets['Data'] ?? {};
    expect(utils.sheet_to_json(sheet)).toEqual([row]);
    expect(sheet['A2']).toMatchObject({ t: 's', v: row.id });
    // A document that somebody uploaded has them as JSON numbers.
    const sha256 = (await fixture.blobs.put(OWNER, Buffer.from('[{"id": 12345678901234567890, "huge": 1e400}]')))
      .sha256;
    await fixture.rows('update documents set sha256 = $2 where id = $1', [ids[1], sha256]);
    await route([{ type: 'append_to_existing', format: 'json', config: { document_id: ids[1] ?? null } }], [row]);
    expect(JSON.parse(await fixture.content(ids[1]))).toEqual([{ id: row.id, huge: row.huge }, row]);
  });

  it('says how much of a long report the summary leaves out', async () => {
    const { output } = await route([{ type: 'chat' }], 'x'.repeat(30_000));
    expect(output.summary).toBe(`${'x'.repeat(20_000)}… (10000 characters more; a document holds the report whole)`);
  });

  it('tells of texts that a workbook does not hold whole, and writes them whole elsewhere', async () => {
    const text = 'x'.repeat(40_000);
    const { output, report } = await route(
      ['xlsx', 'csv'].map((format) => ({ type: 'document', format })),
      [{ id: 1, text }],
    );
    expect(output.success).toBe(true);
    const place = 'sheet Data, row 2, column text: cut, 40,000 characters are more than the 32,767 of a cell';
    expect(report[0]).toMatchObject({
      status: 'success',
      code: 'cells_altered',
      message: expect.stringContaining(place),
      details: { altered: { count: 1, texts: [place] } },
    });
    expect(report[1]).not.toHaveProperty('code');
    expect(await fixture.content(details(report[1]).document_id)).toBe(`id,text\n1,${text}\n`);
  });

  it('names a key and mapped fields that no record has', async () => {
    const config = (more: JsonObject): Json => ({
      type: 'data_workspace_table',
      config: { table_name: 'keys', ...more },
    });
    const { report } = await route(
      [config({ upsert_key: 'ien' }), config({ schema_mapping: { ein: 'ein', nmae: 'name' } })],
      [{ ein: '1', name: 'a' }],
    );
    expect(report[0]).toMatchObject({
      code: 'upsert_key_missing',
      message: 'No row has a field "ien", which is a key. Did you mean "ein"?',
    });
    expect(details(report[1]).warnings).toEqual([
      {
        code: 'unknown_field',
        field: 'nmae',
        message: 'no record has a field `nmae` (1 looked at). Did you mean `name`?',
      },
    ]);
  });
});
