import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiText } from '../../src/app/openapi-text';
import { EVENT_TYPES } from '../../src/runs/events/event-types';
import { OPENAPI } from './conformance';

/** Answers without a body. */
const EMPTY = new Set(['101', '204']);

describe('openapi.json', () => {
  it('is current: `npm run openapi` writes it', async () => {
    expect(readFileSync(join(__dirname, '../../openapi.json'), 'utf8')).toBe(await openApiText());
  });

  it('has no reference that leads nowhere, and no schema that nothing uses', () => {
    const text = JSON.stringify(OPENAPI);
    const used = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1]));
    expect(used).toEqual(new Set(Object.keys(OPENAPI.components.schemas)));
  });

  it('describes every answer of every route, problems too', () => {
    for (const [path, operations] of Object.entries(OPENAPI.paths)) {
      for (const [method, { responses }] of Object.entries(operations)) {
        const statuses = Object.keys(responses);
        expect(statuses.filter((status) => /^(2|101)/.test(status)).length).toBeGreaterThan(0);
        for (const [status, { content }] of Object.entries(responses)) {
          const described = Object.values(content ?? {}).every(({ schema }) => schema !== undefined);
          expect({ path, method, status, described, content: content !== undefined || EMPTY.has(status) }).toEqual({
            path,
            method,
            status,
            described: true,
            content: true,
          });
        }
        if (!path.startsWith('/health')) {
          expect(statuses).toEqual(expect.arrayContaining(['400', '503']));
        }
      }
    }
  });

  it('has a schema for the data of every event', () => {
    for (const schema of Object.values(EVENT_TYPES)) {
      expect(OPENAPI.components.schemas[schema.name]?.properties).toHaveProperty('at');
    }
  });

  it('keeps JSON in snake_case, but for the three ids', () => {
    const names = Object.values(OPENAPI.components.schemas).flatMap((schema) => Object.keys(schema.properties ?? {}));
    const others = names.filter((name) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name));
    expect([...new Set(others)].sort()).toEqual(['approvalId', 'decisionId', 'runId']);
  });
});
