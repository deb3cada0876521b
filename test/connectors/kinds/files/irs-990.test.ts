import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../core/base/json';
import { readConnector } from '../../../../connectors/definition/read-connector';
import { DATA_DIR, describeWithData } from '../../../support/data';
import { connectorDeps, testContext, callEndpoint } from '../../../support/connector-deps';

const FOLDER = resolve(DATA_DIR, 'irs990');

interface Expected {
  ein: string;
  organization_name: string;
  tax_period_end: string;
  schema_version: string;
  form: string;
  total_revenue: number;
  total_expenses: number;
  amended: boolean;
  people: number;
  recipients: number;
  cash: number;
}
const PCF = { ein: '200253310', organization_name: 'Pasadena Community Foundation', form: '990', amended: false };
const FY2015 = {
  ...PCF,
  tax_period_end: '2015-12-31',
  schema_version: '2015v2.1',
  total_revenue: 7073443,
  total_expenses: 4159348,
};
const EXPECTED: Record<string, Expected> = {
  '201132069349300318_public.xml': {
    ...PCF,
    tax_period_end: '2010-12-31',
    schema_version: '2010v3.2',
    total_revenue: 4761721,
    total_expenses: 4097304,
    people: 13,
    recipients: 129,
    cash: 2688807,
  },
  '201521819349301247_public.xml': {
    ...PCF,
    tax_period_end: '2014-12-31',
    schema_version: '2014v5.0',
    total_revenue: 10304545,
    total_expenses: 5701946,
    people: 18,
    recipients: 137,
    cash: 4427581,
  },
  '201522139349100402_public.xml': {
    ein: '742805201',
    organization_name: 'The H Alan and Karen K Bell Family Foundation',
    form: '990PF',
    amended: false,
    tax_period_end: '2014-12-31',
    schema_version: '2014v5.0',
    total_revenue: 19741,
    total_expenses: 14467,
    people: 4,
    recipients: 11,
    cash: 11525,
  },
  '201612429349300846_public.xml': { ...FY2015, amended: true, people: 18, recipients: 137, cash: 2798959 },
  '201641949349301259_public.xml': { ...FY2015, people: 18, recipients: 137, cash: 2798959 },
  '201831309349303578_public.xml': {
    ...PCF,
    tax_period_end: '2017-12-31',
    schema_version: '2017v2.2',
    total_revenue: 12086670,
    total_expenses: 6971069,
    people: 21,
    recipients: 457,
    cash: 4858497,
  },
};

describeWithData('irs990', 'IRS 990 filings', () => {
  const text = readFileSync(resolve(__dirname, '../../../../catalog/connectors/irs-990-xml.yaml'), 'utf8');
  const { definition, problems } = readConnector(text);

  it('the catalogue connector has no problems', () => {
    expect(problems).toEqual([]);
  });

  it('claims to be checked on these filings and on no others', () => {
    const claims = /Checked on real filings by schema year: ([^.]*)\./.exec(definition!.description ?? '')?.[1] ?? '';
    const years = (form: string): string[] =>
      Object.values(EXPECTED)
        .filter((filing) => filing.form === form)
        .map((filing) => filing.schema_version.slice(0, 4));
    const forms = [...new Set(Object.values(EXPECTED).map((filing) => filing.form))].sort();
    const found = forms.map((form) => `${form} of ${[...new Set(years(form))].sort().join(', ')}`);
    expect(claims.replace(/\s+/g, ' ')).toBe(found.join('; '));
    expect(definition!.description).toContain('constructed from the published schema');
  });

  it('reads every value of every filing, and locates what is damaged', async () => {
    const deps = connectorDeps({ importRoots: [FOLDER] });
    const result = await callEndpoint(deps, {
      definition: definition!,
      endpoint: 'parse_filings',
      inputs: { directory: FOLDER },
      context: testContext(),
    });
    const rows = (name: string): JsonObject[] => result[name] as JsonObject[];
    const found = Object.fromEntries(
      rows('results').map((filing): [string, Expected] => {
        const own = (row: JsonObject): boolean => row['file'] === filing['file'];
        const grants = rows('grants').filter(own);
        return [
          filing['file'] as string,
          {
            ...(Object.fromEntries(
              [
                'ein',
                'organization_name',
                'tax_period_end',
                'schema_version',
                'form',
                'total_revenue',
                'total_expenses',
                'amended',
              ].map((name) => [name, filing[name]]),
            ) as unknown as Expected),
            people: rows('officers').filter(own).length,
            recipients: grants.length,
            cash: grants.reduce((sum, grant) => sum + Number(grant['cash_grant'] ?? 0), 0),
          },
        ];
      }),
    );
    expect(found).toEqual(EXPECTED);
    expect(result['errors']).toEqual([
      expect.objectContaining({
        file: 'SYNTH-truncated-201521819349301247.xml',
        code: 'malformed_xml',
        line: expect.any(Number),
        column: expect.any(Number),
      }),
      expect.objectContaining({
        file: 'as-found-malformed-201521819349301247.xml',
        code: 'malformed_xml',
        line: 898,
        column: expect.any(Number),
      }),
    ]);
    expect(result['warnings']).toEqual([]);
    expect(result['count']).toBe(6);
  });

  it('names every officer and every recipient', async () => {
    const deps = connectorDeps({ importRoots: [FOLDER] });
    const result = await callEndpoint(deps, {
      definition: definition!,
      endpoint: 'parse_filings',
      inputs: { directory: FOLDER },
      context: testContext(),
    });
    const nameless = (name: string, field: string): JsonObject[] =>
      (result[name] as JsonObject[]).filter((row) => row[field] === null || row[field] === '');
    expect(nameless('officers', 'name')).toEqual([]);
    expect(nameless('grants', 'recipient_name')).toEqual([]);
    expect(
      (result['officers'] as JsonObject[]).find((row) => row['file'] === '201132069349300318_public.xml'),
    ).toMatchObject({ name: 'G Arnold Mulder', title: 'Chair', comp_from_org: 0, ein: '200253310' });
  });
});

// The README's example: two of the three returns that ship with the product are of one period.
it('rows of a return that another one replaces say so, in every group', async () => {
  const root = resolve(__dirname, '../../../../catalog');
  const { definition } = readConnector(readFileSync(resolve(root, 'connectors/irs-990-xml.yaml'), 'utf8'));
  const deps = connectorDeps({ importRoots: [root], defaultDirectory: resolve(root, 'examples/filings') });
  const call = { definition: definition!, endpoint: 'parse_filings', inputs: {}, context: testContext() };
  const read = await callEndpoint(deps, call);
  await deps.egress.close();
  const rows = (name: string): JsonObject[] => read[name] as JsonObject[];
  const current = rows('grants').filter(
    ({ is_current, cash_grant }) => is_current === true && Number(cash_grant) >= 50_000,
  );
  expect(current).toHaveLength(33);
  expect(current.reduce((sum, { cash_grant }) => sum + Number(cash_grant), 0)).toBe(3_937_322);
  const replaced = rows('results').filter(({ is_current }) => is_current === false);
  expect(replaced).toHaveLength(1);
  const { file, replaced_by } = replaced[0] ?? {};
  for (const group of ['results', 'officers', 'grants']) {
    for (const row of rows(group))
      expect([row['file'] === file, row['replaced_by']]).toEqual([
        !row['is_current'],
        row['is_current'] ? null : replaced_by,
      ]);
  }
});
