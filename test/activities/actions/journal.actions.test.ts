import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dayBounds } from '../../../infra/journal/day-bounds';
import { getContract } from '../../../core/actions/registry';
import { STRANGER } from '../../db/db-fixture';
import { DataFixture } from '../data-fixture';

let fixture: DataFixture;
beforeAll(async () => {
  fixture = await DataFixture.start();
});
afterAll(() => fixture.stop());

describe('journal', () => {
  it('writes an entry once and finds it by word, entity, date and status', async () => {
    const context = fixture.context();
    const inputs = {
      summary: 'Reviewed the Pasadena filings',
      detail_entries: [{ step: 'parse', count: 3 }],
      entities_mentioned: ['Pasadena Community Foundation'],
    };
    const first = await fixture.run('write_journal_entry', inputs, {}, context);
    expect(await fixture.run('write_journal_entry', inputs, {}, context)).toEqual(first);
    expect(first).toEqual({ journal_entry_id: expect.any(String), success: true });
    await fixture.run('write_journal_entry', { summary: 'Something else' });
    await fixture.rows(
      `update journal_entries set task_status = 'complete', created_at = '2026-03-01T07:30:00Z' where id = $1`,
      [first.journal_entry_id],
    );

    const found = async (filters: object) => (await fixture.run('query_journal', { ...filters })).count;
    expect(await found({})).toBe(2);
    expect(await found({ query: 'pasadena' })).toBe(1);
    expect(await found({ entity_name: 'Pasadena Community Foundation' })).toBe(1);
    expect(await found({ status: 'complete' })).toBe(1);
    // 07:30 UTC is still the day before in the run's zone.
    expect(await found({ date_from: '2026-02-28', date_to: '2026-02-28' })).toBe(1);
    expect(await found({ date_from: '2026-03-01', date_to: '2026-03-01' })).toBe(0);
    const limited = await fixture.run('query_journal', {}, { limit: 1 });
    expect(limited).toMatchObject({ count: 1, entries: [{ summary: 'Something else' }] });
    const one = await fixture.run('query_journal', { query: 'pasadena' });
    expect((one as unknown as { entries: object[] }).entries).toEqual([
      expect.objectContaining({ id: first.journal_entry_id, runId: context.runId, task_status: 'complete' }),
    ]);
    const columns = getContract('query_journal')?.outputs.find((output) => output.name === 'entries')?.fields ?? [];
    expect(Object.keys((one as unknown as { entries: [object] }).entries[0]).sort()).toEqual(
      columns.map((column) => column.name).sort(),
    );
    expect(one.date_range).toEqual({ from: '2026-03-01T07:30:00Z', to: '2026-03-01T07:30:00Z' });
    expect((await fixture.run('query_journal', {}, {}, { ownerId: STRANGER })).count).toBe(0);
  });

  it('refuses what it cannot read', async () => {
    expect(await fixture.failure('write_journal_entry', {})).toBe('invalid_params');
    expect(await fixture.failure('write_journal_entry', { summary: 'x', detail_entries: 'y' })).toBe('invalid_params');
    expect(await fixture.failure('query_journal', { date_from: 'yesterday' })).toBe('invalid_params');
    expect(await fixture.failure('query_journal', {}, { limit: 0 })).toBe('invalid_params');
  });

  it('knows where a day begins', () => {
    expect(dayBounds('2026-03-08', '2026-03-08', 'America/Los_Angeles')).toEqual({
      from: '2026-03-08T08:00:00.000Z',
      before: '2026-03-09T07:00:00.000Z',
    });
    expect(dayBounds('2026-10-25', '2026-10-25', 'Europe/Berlin')).toEqual({
      from: '2026-10-24T22:00:00.000Z',
      before: '2026-10-25T23:00:00.000Z',
    });
    expect(dayBounds(undefined, undefined, 'UTC')).toEqual({});
  });
});

describe('transform_data and cross_reference as activities', () => {
  it("give what the core gives, and its failures as the step's", async () => {
    expect(
      await fixture.run(
        'transform_data',
        { data: [{ a: 2 }, { a: 1 }] },
        { operations: [{ type: 'sort', field: 'a' }] },
      ),
    ).toEqual({ data: [{ a: 1 }, { a: 2 }], count: 2 });
    expect(
      await fixture.run('cross_reference', { dataset_a: [{ name: 'A' }], dataset_b: [{ name: 'a' }] }),
    ).toMatchObject({ count: 1 });
    expect(await fixture.failure('transform_data', { data: null }, { operations: [] })).toBe('missing_data');
    expect(
      await fixture.failure('cross_reference', { dataset_a: [], dataset_b: [] }, { match_strategy: 'fuzzy_name' }),
    ).toBe('strategy_not_available');
  });
});
