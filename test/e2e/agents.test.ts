import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../core/base/json';
import { runApproved, startAgentBench, type AgentBench, type Finished } from '../support/agent-bench';
import { describeWithData } from '../support/data';

/** Expected findings are in the README of test/fixtures/constructed/agents, written before the playbooks ran. */
describeWithData('irs990', 'the three agents', () => {
  let bench: AgentBench;
  beforeAll(async () => {
    bench = await startAgentBench();
  });
  afterAll(() => bench?.close());

  const run = (agent: string, playbook: string, inputs: JsonObject): Promise<Finished> =>
    runApproved(bench.stack, playbook, inputs, bench.profiles[agent] ?? '');

  // First, while no answer of theirs is in the cache.
  describe('sources that do not answer', () => {
    afterEach(() => bench.sources.refusing.clear());

    it('are named in the report, and nothing of theirs is taken for an empty result', async () => {
      bench.sources.refusing.add('fec').add('propublica');
      const found = await run('nonprofit-investigator', 'nonprofit-investigation', {
        ein: '990000101',
        directory: bench.madeFilings,
        with_model: false,
      });
      expect(found.run.status).toBe('partial');
      expect(found.prompt).toContain('(3 of 3 names could not be looked up)');
      expect(found.rows('people')).toHaveLength(3);
      const codes = found.rows('silent').map((row) => row['code']);
      expect(codes).toEqual(Array.from({ length: 2 + 2 + 3 }, () => 'auth_failed'));
      const report = await found.file('.md');
      expect(report).toMatch(/ProPublica organisation.*auth_failed/);
    });

    it('end the run where nothing can be said without them', async () => {
      bench.sources.refusing.add('fec');
      const { api } = bench.stack;
      const runId = await api.startRun(
        'contribution-analysis',
        { committee_id: 'C00557835' },
        { profile_id: bench.profiles['political-finance-tracker'] ?? '' },
      );
      expect(await api.done(runId)).toMatchObject({ status: 'failed', code: 'auth_failed' });
      const written = await api.must<{ items: JsonObject[] }>('GET', '/documents');
      expect(written.items.filter((item) => item['runId'] === runId)).toEqual([]);
    });
  });

  describe('Nonprofit Investigator', () => {
    it('investigates an organisation', async () => {
      const before = bench.models.requests.length;
      const found = await run('nonprofit-investigator', 'nonprofit-investigation', {
        ein: '990000101',
        directory: bench.allFilings,
      });
      expectNotAvailable(found, ['entities', 'resolved', 'known']);
      expect(found.prompt).toBe(
        '990000101: 3 people, 1 of them named elsewhere, 2 recipients, 1 funders, 1 of them both; 6 groups of contributions under their names (0 of 3 names could not be looked up). Write the report?',
      );
      expect(found.rows('organisation')).toMatchObject([{ name: 'HARBORLIGHT EXAMPLE FOUNDATION', state: 'OH' }]);
      expect(found.rows('people')).toEqual([
        { name: 'Marguerite Oldacre', title: 'President', pay: 60000, last_period: '2019-12-31' },
        { name: 'Tobias Fennimore', title: 'Treasurer', pay: 12000, last_period: '2019-12-31' },
        { name: 'Ingrid Vasterling', title: 'Director', pay: 0, last_period: '2019-12-31' },
      ]);
      expect(found.rows('elsewhere')).toMatchObject([
        {
          name: 'Marguerite Oldacre',
          other_ein: '990000102',
          other_organization: 'Millrace Example Trust',
          other_title: 'Director',
        },
      ]);
      expect(found.rows('funds')).toEqual([
        { recipient_name: 'MILLRACE EXAMPLE TRUST', recipient_ein: '990000102', total: 50000, grants: 2 },
        { recipient_name: 'RURAL ACTION INC', recipient_ein: '311124220', total: 25000, grants: 1 },
      ]);
      expect(found.rows('recipients')).toMatchObject([
        { name: 'MILLRACE EXAMPLE TRUST', city: 'MARIETTA', revenue: 120000 },
        { name: 'RURAL ACTION INC', city: 'THE PLAINS', state: 'OH', revenue: 3714399 },
      ]);
      expect(found.rows('funded_by')).toEqual([
        { ein: '990000102', organization_name: 'Millrace Example Trust', total: 15000, grants: 1 },
      ]);
      expect(found.rows('mutual')).toMatchObject([{ ein: '990000102', paid: 50000, received: 15000 }]);
      expect(found.rows('contributions').map(contribution)).toEqual([
        ['Ingrid Vasterling', 'OH', 'SHANNON FOR SENATE', 1000, 1, true],
        ['Ingrid Vasterling', 'OH', 'HARBOR EXAMPLE VICTORY FUND', 400, 1, true],
        ['Marguerite Oldacre', 'OH', 'SHANNON FOR SENATE', 3100, 2, true],
        ['Marguerite Oldacre', 'WA', 'SHANNON FOR SENATE', 75, 1, false],
        ['Tobias Fennimore', 'OH', 'SHANNON FOR SENATE', 1000, 1, true],
        ['Tobias Fennimore', 'OH', 'DAVIS FOR CONGRESS/FRIENDS OF DAVIS', 250, 1, true],
      ]);
      expect(bench.models.requests).toHaveLength(before + 1);
      const report = await found.file('.md');
      for (const part of ['stand-in summary', 'RURAL ACTION INC', 'Looked at by a person.', 'SYNTH-truncated']) {
        expect(report).toContain(part);
      }
      expect((await found.file('.csv')).trim().split('\n')).toHaveLength(1 + 6);
      const kept = await bench.stack.api.must<{ items: JsonObject[] }>(
        'GET',
        '/workspaces/research/tables/nonprofit_filings/rows',
      );
      expect(kept.items).toMatchObject([{ values: { ein: '990000101', total_revenue: 400000 } }]);
    });

    it('compares the officers of many organisations, without a model', async () => {
      const before = bench.models.requests.length;
      const found = await run('nonprofit-investigator', 'officer-cross-reference', { directory: bench.allFilings });
      expect(found.run.status).toBe('complete');
      expect(found.rows('shared')).toMatchObject([
        {
          name: expect.stringMatching(/^jennifer devoll$/i),
          ein: '200253310',
          other_ein: '990000102',
          other_title: 'Director',
        },
        {
          name: 'Marguerite Oldacre',
          ein: '990000101',
          title: 'President',
          other_ein: '990000102',
          other_title: 'Director',
        },
      ]);
      expect(
        found.rows('money_between').map((row) => [row['person'], row['ein'], row['recipient_ein'], row['total']]),
      ).toEqual([
        [expect.stringMatching(/^jennifer devoll$/i), '990000102', '200253310', 5000],
        ['Marguerite Oldacre', '990000101', '990000102', 50000],
        ['Marguerite Oldacre', '990000102', '990000101', 15000],
      ]);
      expect(found.rows('contributions').map((row) => contribution(row).slice(0, 5))).toEqual([
        ['Marguerite Oldacre', 'OH', 'SHANNON FOR SENATE', 3100, 2],
        ['Marguerite Oldacre', 'WA', 'SHANNON FOR SENATE', 75, 1],
      ]);
      expect(await found.file('.md')).toContain('as-found-malformed');
      expect((await found.file('.csv')).trim().split('\n')).toHaveLength(1 + 2);
      expect(bench.models.requests).toHaveLength(before);
    });
  });

  describe('Political Finance Tracker', () => {
    it('analyses what a committee received', async () => {
      const found = await run('political-finance-tracker', 'contribution-analysis', {
        committee_id: 'C00557835',
        contribution_limit: 2600,
      });
      expectNotAvailable(found, ['entities', 'resolved']);
      expect(found.rows('committee')).toMatchObject([{ name: 'SHANNON FOR SENATE' }]);
      expect(found.rows('individual_sum')).toEqual([{ total: 6525, rows: 127 }]);
      expect(found.rows('committees')).toMatchObject([
        { donor_committee_id: 'C99000001', total: 5000, rows: 1 },
        { donor_committee_id: 'C99000002', total: 2500, rows: 1 },
      ]);
      expect(found.rows('committee_sum')).toEqual([{ total: 7500, rows: 2 }]);
      expect(found.rows('memo_sum')).toEqual([{ total: 12091, rows: 2 }]);
      expect(found.rows('memos')).toMatchObject([
        { donor_name: 'SENATE CONSERVATIVES FUND', amount: 11091 },
        { amount: 1000 },
      ]);
      expect(found.rows('flags')).toEqual([
        {
          flag: 'above_the_limit_of_one_election',
          who: 'OLDACRE, MARGUERITE',
          count: 2,
          amount: 3100,
          compared_with: 2600,
          date: '2014-03-31',
        },
        {
          flag: 'colleagues_gave_on_one_day',
          who: 'HARBORLIGHT EXAMPLE FOUNDATION',
          count: 3,
          amount: 4600,
          compared_with: null,
          date: '2014-03-31',
        },
      ]);
      expect((await found.file('.csv')).trim().split('\n')).toHaveLength(1 + 2);
      expect(await found.file('.md')).toContain('stand-in summary');
    });

    it('gives the same facts without a model', async () => {
      const before = bench.models.requests.length;
      const found = await run('political-finance-tracker', 'contribution-analysis', {
        committee_id: 'C00557835',
        contribution_limit: 2600,
        with_model: false,
      });
      expect(found.skipped).toEqual({ entities: 'not_available', resolved: 'not_available', analysis: 'condition' });
      expect(found.rows('flags')).toHaveLength(2);
      expect(bench.models.requests).toHaveLength(before);
    });

    it('maps the committees around one', async () => {
      const found = await run('political-finance-tracker', 'pac-network-mapping', { committee_id: 'C99000001' });
      expectNotAvailable(found, ['entities', 'central']);
      expect(found.rows('neighbours').map((row) => row['id'])).toEqual(['C00557835', 'C99000002', 'C99000003']);
      expect(
        found.rows('transfers').map((row) => [row['from_id'], row['to_id'], row['paid'], row['payments']]),
      ).toEqual([
        ['C99000001', 'C00557835', 5000, 1],
        ['C99000001', 'C99000002', 20000, 2],
        ['C99000002', 'C00557835', 2500, 1],
        ['C99000002', 'C99000003', 18000, 1],
        ['C99000003', 'C99000001', 30000, 1],
      ]);
      expect(found.rows('transfer_sum')).toEqual([{ total: 75500, transfers: 5 }]);
      expect(
        found
          .rows('indirect')
          .map((row) => [row['from_id'], row['through_id'], row['to_id'], row['at_most'], row['direct']]),
      ).toEqual([
        ['C99000001', 'C99000002', 'C00557835', 2500, 5000],
        ['C99000001', 'C99000002', 'C99000003', 18000, null],
        ['C99000002', 'C99000003', 'C99000001', 18000, null],
        ['C99000003', 'C99000001', 'C00557835', 5000, null],
        ['C99000003', 'C99000001', 'C99000002', 20000, null],
      ]);
      expect(found.rows('circles')).toEqual([
        { first_id: 'C99000001', second_id: 'C99000002', third_id: 'C99000003', at_most: 18000 },
      ]);
      expect(found.rows('differences')).toMatchObject([
        { from_id: 'C99000003', to_id: 'C99000001', paid: 30000, received: 28000, difference: 2000 },
      ]);
      expect(found.rows('treasurers')).toMatchObject([
        { treasurer: 'QUILLFEATHER, DESMOND', committees: 2, committee_ids: ['C99000001', 'C99000003'] },
      ]);
      expect((await found.file('.csv')).trim().split('\n')).toHaveLength(1 + 5);
    });
  });

  describe('Corporate Intelligence Analyst', () => {
    it('describes the structure of a company', async () => {
      const found = await run('corporate-intelligence-analyst', 'corporate-structure-analysis', {
        jurisdiction_code: 'gb',
        company_number: 'SC045439',
        family: 'capita',
        wikidata_id: 'Q990000001',
        contact: 'Example Research jane@example.org',
      });
      expectNotAvailable(found, ['entities', 'known'], ['filer', 'filed', 'forms', 'ownership_forms']);
      expect(found.rows('current_board').map((row) => [row['name'], row['start_date']])).toEqual([
        ['PETER HANDS', '2013-06-05'],
        ['JOHN JAMES HEMMING', '2017-09-28'],
        ['NICHOLAS SIEGFRIED DALE', '2018-01-31'],
      ]);
      expect(found.rows('related').map((row) => [row['company_number'], row['same_address']])).toEqual([
        ['CX000001', true],
        ['CX000003', true],
        ['CX000004', false],
      ]);
      expect(found.rows('structure').map((row) => [row['relation'], row['name']])).toEqual([
        ['owner', 'Capita Example Group plc'],
        ['parent', 'Capita Example Group plc'],
        ['subsidiary', 'Capita Example Harbour'],
        ['subsidiary', 'Capita Example Pensions'],
      ]);
      expect(await found.file('.md')).toContain('CAPITA IT SERVICES LIMITED');
      expect((await found.file('.csv')).match(/^CX00000\d,gb,/gm)).toHaveLength(3);
    });

    it('asks only the sources whose number is given', async () => {
      const asked = bench.sources.seen.length;
      const found = await run('corporate-intelligence-analyst', 'corporate-structure-analysis', {
        cik: '0001318605',
        contact: 'Example Research jane@example.org',
        with_model: false,
      });
      expect(found.rows('filer')).toMatchObject([{ name: 'Tesla, Inc.' }]);
      const total = found.rows('forms').reduce((sum, row) => sum + Number(row['filings']), 0);
      expect(total).toBe(250);
      expect(found.rows('ownership_forms').map((row) => [row['form'], row['filings']])).toEqual([
        ['4', 167],
        ['SC 13G/A', 8],
        ['DEFA14A', 7],
        ['SC 13G', 3],
        ['DEF 14A', 2],
        ['3', 1],
        ['5', 1],
        ['4/A', 1],
      ]);
      const since = bench.sources.seen.slice(asked);
      expect(new Set(since.map(({ url }) => url.split('/')[1]))).toEqual(new Set(['sec']));
    });

    it('maps who sits on several boards', async () => {
      const number = (company_number: string): JsonObject => ({ jurisdiction_code: 'gb', company_number });
      const found = await run('corporate-intelligence-analyst', 'board-interlock-mapping', {
        companies: ['SC045439', 'CX000001', 'CX000002', 'CX999999'].map(number),
        directory: bench.madeFilings,
      });
      // The inner steps behind the company that is not there are left out too.
      expectNotAvailable(found, ['entities'], ['board', 'seats_of_one']);
      expect(found.rows('silent')).toMatchObject([{ step: 'company', code: 'upstream_not_found' }]);
      expect(found.prompt).toContain('1 of 4 companies could not be read');
      expect(found.rows('interlocks')).toMatchObject([
        {
          name: 'JOHN JAMES HEMMING',
          company_number: 'CX000001',
          other_company_number: 'SC045439',
          from: '2018-05-01',
          today: true,
        },
        {
          name: 'MARGUERITE OLDACRE',
          company_number: 'CX000001',
          other_company_number: 'CX000002',
          from: '2016-02-01',
          until: '2019-12-31',
          today: false,
        },
      ]);
      expect(found.rows('one_after_the_other')).toMatchObject([
        { name: 'RODNEY HEWER HARRIS', company_number: 'CX000001', other_company_number: 'SC045439' },
      ]);
      expect(
        found
          .rows('nonprofits')
          .map((row) => [(row['name'] as string).toUpperCase(), row['company_number'], row['ein']]),
      ).toEqual([
        ['DESMOND QUILLFEATHER', 'CX000002', '990000102'],
        ['MARGUERITE OLDACRE', 'CX000001', '990000101'],
        ['MARGUERITE OLDACRE', 'CX000001', '990000102'],
        ['MARGUERITE OLDACRE', 'CX000002', '990000101'],
        ['MARGUERITE OLDACRE', 'CX000002', '990000102'],
      ]);
      expect((await found.file('.csv')).trim().split('\n')).toHaveLength(1 + 2);
    });
  });
});

function contribution(row: JsonObject): unknown[] {
  return [row['officer'], row['donor_state'], row['recipient'], row['total'], row['gifts'], row['same_state']];
}

/**
 * Features of later versions are named as not available, in their step and as a destination, and never count as done.
 */
function expectNotAvailable({ run, skipped }: Finished, steps: string[], byCondition: string[] = []): void {
  expect(run.status).toBe('partial');
  expect(skipped).toEqual({
    ...Object.fromEntries(steps.map((step) => [step, 'not_available'])),
    ...Object.fromEntries(byCondition.map((step) => [step, 'condition'])),
  });
  const report = run['routing_report'] as JsonObject[];
  expect(report.map(({ destination, status }) => [destination, status])).toContainEqual([
    'knowledge_graph',
    'not_available',
  ]);
}
