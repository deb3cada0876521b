import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { read, utils } from '@e965/xlsx';
import { readFile, readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Json, JsonObject } from '../../../core/base/json';
import { jsonText } from '../../../core/base/json-text';
import { STRANGER } from '../../db/db-fixture';
import { DataFixture } from '../data-fixture';

let fixture: DataFixture;
beforeAll(async () => {
  fixture = await DataFixture.start();
});
afterAll(() => fixture.stop());

const DATA: Json = { flags: [{ name: 'Ann', pay: 12.5, note: '=HYPERLINK("x")' }], count: 1 };

async function route(
  destinations: Json,
  data: Json = DATA,
  params: JsonObject = {},
): Promise<{ output: JsonObject; report: JsonObject[] }> {
  const output = await fixture.run('route_output', { data }, { destinations, ...params });
  return { output, report: output.routing_report as JsonObject[] };
}
const details = (entry: JsonObject | undefined) => entry?.details as JsonObject;

describe('route_output', () => {
  it('sends to every destination and says what became of it', async () => {
    const { output, report } = await route(
      [
        { type: 'document', config: { filename_template: '{playbook}_{count}_{date}.md' } },
        { type: 'folder', format: 'json', config: { folder_id: 'reviews' } },
        { type: 'file_export', format: 'csv', config: { filename_template: 'flags' } },
        {
          type: 'data_workspace_table',
          config: { workspace_id: 'research', table_name: 'flags', create_if_missing: true },
        },
        { type: 'chat' },
      ],
      DATA,
      { title: 'Flags' },
    );
    expect(output).toMatchObject({
      success: true,
      routed_to: ['document', 'folder', 'file_export', 'data_workspace_table', 'chat'],
    });
    expect(output.summary).toContain('# Flags');
    expect(details(report[0])).toMatchObject({ filename: 'a-playbook_1_2026-11-28.md' });
    expect(await fixture.content(details(report[0]).document_id)).toContain('| Ann | 12.5 | =HYPERLINK("x") |');
    expect(JSON.parse(await fixture.content(details(report[1]).document_id))).toEqual(DATA);
    expect(details(report[1]).folder_id).toEqual(expect.any(String));
    const path = jsonText(details(report[2]).export_path);
    expect(dirname(path)).toBe(fixture.exportDir);
    expect(await readFile(path, 'utf8')).toBe('name,pay,note\nAnn,12.5,"\'=HYPERLINK(""x"")"\n');
    expect(details(report[3])).toMatchObject({ table: 'flags', rows_inserted: 1 });
    expect(fixture.effects).toEqual([expect.stringMatching(/^file flags-[0-9a-f]{12}\.csv$/)]);
  });

  it('goes on when one destination fails, and takes back what that one wrote', async () => {
    const { output, report } = await route([
      { type: 'document', format: 'xlsx' },
      { type: 'document', format: 'pdf' },
      { type: 'data_workspace_table', config: { table_name: 'kept', upsert_key: 'missing' } },
      { type: 'data_workspace_table', config: { table_name: 'kept' } },
      { type: 'append_to_existing', config: { document_id: '11111111-1111-4111-8111-111111111111' } },
      { type: 'folder' },
      { type: 'knowledge_graph' },
      { type: 'fax' },
      { type: 'file_export', condition: '{data.count} > 5' },
      { type: 'file_export', condition: '{count} >' },
      { type: 'document', condition: '{count} == 1 and {data.flags} is defined' },
    ]);
    expect(report.map((entry) => [entry.destination, entry.status, entry.code ?? ''])).toEqual([
      ['document', 'success', ''],
      ['document', 'error', 'unknown_format'],
      ['data_workspace_table', 'error', 'upsert_key_missing'],
      ['data_workspace_table', 'success', ''],
      ['append_to_existing', 'error', 'document_not_found'],
      ['folder', 'error', 'invalid_params'],
      ['knowledge_graph', 'not_available', 'not_available'],
      ['fax', 'error', 'unknown_destination'],
      ['file_export', 'skipped', 'condition_false'],
      ['file_export', 'error', 'invalid_expression'],
      ['document', 'success', ''],
    ]);
    expect(report[8]?.message).toBe('Its condition is false: {data.count} > 5');
    expect(output.success).toBe(false);
    expect(output.routed_to).toEqual(['document', 'data_workspace_table', 'document']);
    expect(await fixture.rows(`select count(*) from ${await fixture.table('kept')}`)).toEqual([{ count: 1 }]);
  });

  it('writes once for an effect key, however often it is repeated', async () => {
    const context = fixture.context();
    const destinations: Json = [{ type: 'document' }, { type: 'file_export', format: 'json' }];
    const first = await fixture.run('route_output', { data: DATA }, { destinations }, context);
    const second = await fixture.run('route_output', { data: DATA }, { destinations }, context);
    const ids = (output: JsonObject) =>
      (output.routing_report as JsonObject[]).map((entry) => details(entry).document_id);
    expect(ids(second)).toEqual(ids(first));
    const files = (await readdir(fixture.exportDir)).filter((name) => name.endsWith('.json'));
    expect(files).toHaveLength(1);
    const keys = await fixture.rows(
      'select effect_key from documents where run_id = $1 and effect_key like $2 order by 1',
      [fixture.runId, `${context.effectKey}%`],
    );
    expect(keys).toEqual([{ effect_key: `${context.effectKey}#0` }, { effect_key: `${context.effectKey}#1` }]);
  });

  it('keeps exports inside their directory', async () => {
    const { report } = await route(
      [{ type: 'file_export', config: { filename_template: '../../etc/{title}' } }],
      DATA,
      { title: '../../passwd' },
    );
    expect(dirname(jsonText(details(report[0]).export_path))).toBe(fixture.exportDir);
    expect((await readdir(fixture.exportDir)).some((name) => name.endsWith('.tmp'))).toBe(false);
  });

  it('appends to documents in their own format, also two at one time', async () => {
    const start = await route(
      [
        { type: 'document', config: { filename: 'log.md' } },
        { type: 'document', format: 'csv', config: { filename: 'log.csv' } },
        { type: 'document', format: 'json' },
      ],
      [{ a: 1 }],
    );
    const [markdown, csv, json] = start.report.map((entry) => jsonText(details(entry).document_id));
    const append = (id: string | undefined, format: string, data: Json) =>
      route([{ type: 'append_to_existing', format, config: { document_id: id ?? '' } }], data);
    await Promise.all([append(csv, 'csv', [{ a: 2 }]), append(csv, 'csv', [{ a: 3 }]), append(csv, 'csv', [{ a: 4 }])]);
    expect((await fixture.content(csv)).split('\n').sort()).toEqual(['', '1', '2', '3', '4', 'a']);
    await append(markdown, 'markdown', 'Later.');
    expect(await fixture.content(markdown)).toBe('| a |\n| --- |\n| 1 |\n\nLater.\n');
    await append(json, 'json', [{ a: 2 }]);
    expect(JSON.parse(await fixture.content(json))).toEqual([{ a: 1 }, { a: 2 }]);
    expect((await append(csv, 'csv', [{ b: 2 }])).report[0]).toMatchObject({
      status: 'error',
      code: 'append_not_possible',
    });
    expect((await append(csv, 'markdown', 'x')).report[0]).toMatchObject({ code: 'append_not_possible' });
    const named = await route([{ type: 'append_to_existing', config: { document: 'log.md' } }], 'By name.');
    expect(details(named.report[0]).document_id).toBe(markdown);
  });

  it('does not reach documents of another owner', async () => {
    const { report } = await route([{ type: 'document' }]);
    const params = {
      destinations: [{ type: 'append_to_existing', config: { document_id: details(report[0]).document_id ?? null } }],
    };
    const other = await fixture.run('route_output', { data: 'x' }, params, { ownerId: STRANGER });
    expect((other.routing_report as JsonObject[])[0]).toMatchObject({ status: 'error', code: 'document_not_found' });
  });

  it('leaves out rows that the table has, by deduplication key', async () => {
    const config = { table_name: 'dedup', deduplication_key: ['id'], schema_mapping: { id: 'id', name: 'name' } };
    const first = await route(
      [{ type: 'data_workspace_table', config }],
      [
        { id: 1, name: 'a', extra: true },
        { id: 1, name: 'b' },
      ],
    );
    const second = await route(
      [{ type: 'data_workspace_table', config }],
      [
        { id: 1, name: 'c' },
        { id: 2, name: 'd' },
      ],
    );
    expect([details(first.report[0]).rows_inserted, details(second.report[0]).rows_inserted]).toEqual([1, 1]);
    expect(await fixture.rows(`select id, name from ${await fixture.table('dedup')} order by id`)).toEqual([
      { id: 1, name: 'a' },
      { id: 2, name: 'd' },
    ]);
  });
});

describe('$output', () => {
  const inputs: JsonObject = {
    title: 'Review of Pasadena',
    sections: [
      { title: 'Summary', value: 'All **well**.' },
      { title: 'Flags', value: { flags: [{ name: 'Ann', pay: 12.5 }], count: 1 } },
      { title: 'Skipped', source: 'gone.data' },
      { title: 'Null', value: null },
    ],
    summary: 'One flag.',
    values: { entity_name: 'Pasadena / CF' },
  };

  it('renders the sections of a playbook and routes them', async () => {
    const output = await fixture.run('$output', inputs, {
      format: 'markdown',
      playbook: 'nonprofit-review',
      destinations: [
        { type: 'file_export', config: { filename_template: '{playbook}_{entity_name}_{date}' } },
        { type: 'file_export', format: 'xlsx' },
        { type: 'document', format: 'structured' },
        { type: 'data_workspace_table', config: { section: 'Flags' } },
      ],
    });
    const report = output.routing_report as JsonObject[];
    expect(output).toMatchObject({ success: true, summary: 'One flag.' });
    expect(details(report[0]).filename).toBe('nonprofit-review_Pasadena_CF_2026-11-28.md');
    const [text, facts] = (await readFile(jsonText(details(report[0]).export_path), 'utf8')).split('\n---\n\n');
    expect(text).toBe(
      `# Review of Pasadena\n\n## Summary\n\nAll **well**.\n\n## Flags\n\n- **count**: 1\n\n### flags\n\n| name | pay |\n| --- | --- |\n| Ann | 12.5 |\n\n## Skipped\n\n_Not computed: gone.data is not there_\n\n## Null\n\n_No value (null)._\n`,
    );
    expect(facts?.split('\n').map((line) => line.replace(/(?<=_at: ).*/, ''))).toEqual([
      '- playbook: nonprofit-review',
      `- runId: ${fixture.runId}`,
      '- date: 2026-11-28',
      '- started_at: ',
      '- written_at: ',
      '- inputs: entity_name: Pasadena / CF',
      '',
    ]);
    expect(JSON.parse(await fixture.content(details(report[2]).document_id))).toMatchObject({
      title: 'Review of Pasadena',
      sections: [
        { title: 'Summary' },
        { title: 'Flags' },
        { title: 'Skipped', value: null, computed: false, missing: ['gone.data is not there'] },
        { title: 'Null', value: null },
      ],
    });
    expect(details(report[3])).toMatchObject({ table: 'Review of Pasadena', rows_inserted: 1 });
  });

  it('writes lists and records out where text is wanted, and loses no destination to them (s4-summary-list.yaml)', async () => {
    const rows: Json = [{ n: 1, who: { a: 'x' } }, { n: 2 }];
    const output = await fixture.run(
      '$output',
      { title: rows, summary: rows, sections: [{ title: ['R', 2], value: rows }] },
      { destinations: [{ type: 'document' }, { type: 'data_workspace_table', config: { table_name: 's4t' } }] },
    );
    expect(output).toMatchObject({
      success: true,
      routed_to: ['document', 'data_workspace_table'],
      summary: '| n | who |\n| --- | --- |\n| 1 | {"a":"x"} |\n| 2 |  |',
    });
    const report = output.routing_report as JsonObject[];
    const text = await fixture.content(details(report[0]).document_id);
    expect(text).toContain('# n: 1, who: {"a":"x"}; n: 2\n\n## R, 2\n');
    expect(await fixture.rows(`select count(*) from ${await fixture.table('s4t')}`)).toEqual([{ count: 2 }]);
    const record = await fixture.run('$output', { title: { a: 1, b: [1, 2] }, summary: { a: 1 }, sections: [] }, {});
    expect(record.summary).toBe('- **a**: 1');
  });

  it('bears its run, its decisions and what is missing in every format; not computed is no empty table (grants-skip.yaml)', async () => {
    const failed = 'read failed: directory_not_allowed';
    const decision = {
      step: 'ask',
      decision: 'approved',
      by: 'ann',
      at: '2026-11-28T10:00:00.000Z',
      instructions: null,
    };
    const output = await fixture.run(
      '$output',
      {
        title: 'Grants',
        values: { word: 'x' },
        sections: [
          { title: 'Grants', source: 'big.data' },
          { title: 'None', value: [] },
          { title: 'Some', value: [{ n: 1 }] },
          { title: 'Whole', value: { data: [], count: 0 } },
          { title: 'Null', value: null },
          { title: 'Items', value: [null, null] },
        ],
        summary: ' grants.',
      },
      {
        facts: {
          status: 'partial',
          decisions: [decision],
          missing: [failed],
          sections: [[failed], [], ['read: 2 of 8 files not read'], [], [], ['each: 2 of 2 items failed']],
          summary: [failed],
        },
        destinations: [
          { type: 'document' },
          { type: 'document', format: 'json' },
          { type: 'file_export', format: 'csv', config: { filename_template: 'grants' } },
          { type: 'document', format: 'csv', config: { filename_template: 'grants' } },
          { type: 'document', format: 'xlsx' },
          { type: 'data_workspace_table', config: { section: 'Grants', table_name: 'grants' } },
          { type: 'data_workspace_table', config: { section: 'Null', table_name: 'grants' } },
          { type: 'data_workspace_table', config: { section: 'None', table_name: 'grants' } },
        ],
      },
    );
    const report = output.routing_report as JsonObject[];
    expect(output.summary).toBe(` grants.\n\nMissing: ${failed}`);
    const markdown = await fixture.content(details(report[0]).document_id);
    expect(markdown).toContain(
      '## Null\n\n_No value (null)._\n\n## Items\n\n_No rows: all 2 elements are null. Missing: each: 2 of 2 items failed_\n\n---',
    );
    expect(markdown).toContain(`## Grants\n\n_Not computed: ${failed}_\n\n## None\n\n_No rows._\n\n## Some\n`);
    expect(markdown).toContain('_Missing: read: 2 of 8 files not read_\n\n| n |');
    expect(markdown).toContain(`- status: partial\n`);
    expect(markdown).toContain('- decisions: step: ask, decision: approved, by: ann, at: 2026-11-28T10:00:00.000Z');
    expect(markdown).toContain(`- missing: ${failed}\n`);
    const meta = {
      runId: fixture.runId,
      status: 'partial',
      inputs: { word: 'x' },
      decisions: [decision],
      missing: [failed],
    };
    expect(JSON.parse(await fixture.content(details(report[1]).document_id))).toMatchObject({
      meta,
      sections: [
        { title: 'Grants', value: null, computed: false, missing: [failed] },
        { title: 'None', value: [] },
        { title: 'Some' },
        { title: 'Whole' },
        { title: 'Null', value: null },
        { title: 'Items' },
      ],
    });
    expect(await readFile(jsonText(details(report[2]).export_path), 'utf8')).toBe('section,n\nSome,1\n');
    const beside = {
      ...meta,
      sections: [
        { title: 'Grants', computed: false, missing: [failed] },
        { title: 'None', computed: true, rows: 0 },
        { title: 'Some', computed: true, rows: 1, missing: ['read: 2 of 8 files not read'] },
        { title: 'Whole', computed: true, rows: 0 },
        { title: 'Null', computed: true },
        { title: 'Items', computed: true, rows: 0 },
      ],
    };
    expect(JSON.parse(await readFile(jsonText(details(report[2]).meta_path), 'utf8'))).toMatchObject(beside);
    expect(JSON.parse(await fixture.content(details(report[3]).meta_document_id))).toMatchObject(beside);
    const { Sheets } = read(await fixture.bytes(details(report[4]).document_id));
    const sheets = Object.entries(Sheets).map(([name, sheet]) => [name, utils.sheet_to_json(sheet, { header: 1 })]);
    expect(Object.fromEntries(sheets)).toEqual({
      Grants: [[`Not computed: ${failed}`]],
      None: [['No rows.']],
      Some: [['n'], [1]],
      Whole: [['No rows.']],
      Null: [['No value (null).']],
      Items: [['No rows: all 2 elements are null. Missing: each: 2 of 2 items failed']],
      About: expect.arrayContaining([
        ['report', 'Grants'],
        ['status', 'partial'],
        ['missing', failed],
        ['missing in Some', 'read: 2 of 8 files not read'],
      ]) as unknown,
    });
    const tables = report.slice(5).map(({ status, code, message }) => [status, code, message]);
    expect(tables).toEqual([
      ['error', 'not_computed', `The rows of "Grants" are not there. Not computed: ${failed}`],
      ['error', 'not_computed', 'The rows of "Null" are not there. No value (null).'],
      ['success', undefined, undefined],
    ]);
  });

  it('lets one destination that cannot be read fail alone, and names one that was not wanted', async () => {
    const output = await fixture.run('$output', inputs, {
      destinations: [
        'document',
        { type: { a: 1 } },
        { type: 'document', format: ['markdown'] },
        { type: 'document', config: 'x' },
        { type: 'document', condition: false, written: '{r.count} > 5' },
        { type: 'document' },
      ],
    });
    const report = output.routing_report as JsonObject[];
    expect(report.map((entry) => [entry.destination, entry.status, entry.code ?? ''])).toEqual([
      ['unknown', 'error', 'invalid_params'],
      ['a: 1', 'error', 'invalid_params'],
      ['document', 'error', 'invalid_params'],
      ['document', 'error', 'invalid_params'],
      ['document', 'skipped', 'condition_false'],
      ['document', 'success', ''],
    ]);
    expect(report[4]?.message).toBe('Its condition is false: {r.count} > 5');
    expect(output).toMatchObject({ success: false, routed_to: ['document'] });
  });

  it('is content with no destination, and puts the report under the summary for chat', async () => {
    expect(await fixture.run('$output', { title: 'T', sections: [] }, {})).toEqual({
      routed_to: [],
      success: true,
      routing_report: [],
    });
    const chat = await fixture.run('$output', inputs, { destinations: [{ type: 'chat' }] });
    expect(jsonText(chat.summary)).toMatch(/^One flag\.\n\n# Review of Pasadena/);
  });
});
