import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../core/base/json';
import type { ConnectorDefinition } from '../../../core/connector/types';
import { describeWithData } from '../../support/data';
import { SOURCE_SECRETS, SOURCES } from '../../support/sources/by-template';
import { type RunningSource, startSource } from '../../support/sources/serve';
import { connectorDeps, testContext, callEndpoint, type ConnectorDeps } from '../../support/connector-deps';
import { ROWS } from './endpoint-rows/all-rows';
import type { Row } from './endpoint-rows/row';
import { templates } from './templates';
import type { EndpointResult } from '../../../connectors/call/connector-call';

const TEMPLATES = templates();
/** Tested elsewhere: files of their own, and a database. */
const ELSEWHERE = ['irs-990-xml', 'external-postgres'];

it('every endpoint of every template that says so has calls here', () => {
  const called = Object.entries(ROWS).flatMap(([id, rows]) => Object.keys(rows).map((name) => `${id}.${name}`));
  const shipped = [...TEMPLATES]
    .filter(([id]) => !ELSEWHERE.includes(id))
    .flatMap(([id, { definition }]) => Object.keys(definition.endpoints).map((name) => `${id}.${name}`));
  expect(called.sort()).toEqual(shipped.sort());
});

describeWithData('fec', 'endpoints of the catalogue answer through the runtime', () => {
  describe.each(Object.keys(ROWS))('%s', (id) => {
    let source: RunningSource;
    let deps: ConnectorDeps;
    let definition: ConnectorDefinition;
    beforeAll(async () => {
      source = await startSource(SOURCES[id]!);
      deps = connectorDeps({ allow: [{ host: '127.0.0.1', port: source.port }], secretValues: SOURCE_SECRETS });
      // A source that is gone is read as it was.
      const { retired: _retired, ...template } = TEMPLATES.get(id)!.definition;
      definition = source.lead(template);
    });
    afterAll(async () => {
      await deps.egress.close();
      await source.close();
    });

    const calls = Object.entries(ROWS[id]!).flatMap(([endpoint, rows]) =>
      rows.map((row, index): [string, Row] => [`${endpoint}${index === 0 ? '' : ` (${index + 1})`}`, row]),
    );
    it.each(calls)('%s', async (name, row) => {
      const before = source.seen.length;
      const endpoint = name.replace(/ .*/, '');
      const call = { definition, endpoint, inputs: row.inputs ?? {}, context: testContext() };
      check(await callEndpoint(deps, call), row);
      const seen = source.seen.slice(before).filter((line) => !line.endsWith('/robots.txt'));
      if (row.pages !== undefined) expect(seen).toHaveLength(row.pages);
      if (row.asked !== undefined) expect(seen[0]).toBe(row.asked);
    });
  });
});

function check(result: EndpointResult, row: Row): void {
  const records = result['results'] as JsonObject[];
  expect([records.length, result['count']]).toEqual([row.count, row.count]);
  // A value that its rule could not read would be here.
  expect(result['warnings'] ?? []).toEqual([]);
  if (row.first !== undefined) expect(records[0]).toMatchObject(row.first);
  if (row.last !== undefined) expect(records.at(-1)).toMatchObject(row.last);
  if (row.sum !== undefined) {
    const { field, of, is } = row.sum;
    const sum = records.slice(0, of).reduce((all, record) => all + Number(record[field]), 0);
    expect(sum).toBeCloseTo(is, 2);
  }
  for (const [field, count] of Object.entries(row.distinct ?? {})) {
    expect([field, new Set(records.map((record) => JSON.stringify(record[field]))).size]).toEqual([field, count]);
  }
  for (const [field, length] of Object.entries(row.lengths ?? {})) {
    expect([field, (records[0]?.[field] as unknown[] | undefined)?.length]).toEqual([field, length]);
  }
  if (row.cells !== undefined) {
    expect(records.reduce((all, record) => all + Object.keys(record).length, 0)).toBe(row.cells);
  }
  if (row.missing !== undefined) expect(result['missing']).toEqual(row.missing);
  else expect(neverFound(result['missing'], records.length)).toEqual([]);
}

/** A path that finds nothing in any record is a mistake of the template, unless the row says that it is none. */
function neverFound(missing: unknown, records: number): string[] {
  return Object.entries((missing ?? {}) as Record<string, number>)
    .filter(([, count]) => count === records)
    .map(([field]) => field);
}
