import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACCESS_EXTENSION } from '../../src/access/rules';
import { openApiText } from '../../src/app/openapi-text';
import { EVENT_TYPES } from '../../src/runs/events/event-types';
import { OPENAPI, WRITTEN } from './conformance';

const ROOT = join(__dirname, '../..');

/** A program that is no library for this kind of test. */
function runProgram(program: string, args: string[]): { status: number | null; errors: string } {
  const done = spawnSync(process.execPath, [join(ROOT, program), ...args], { cwd: ROOT });
  return { status: done.status, errors: done.stderr.toString() };
}

interface Operation {
  operationId: string;
  tags: string[];
  parameters?: { name: string; in: string }[];
  responses: Record<string, { headers?: object }>;
}

function operations(): { path: string; method: string; operation: Operation }[] {
  return Object.entries(OPENAPI.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation: operation as unknown as Operation })),
  );
}
interface Union {
  oneOf: { $ref: string }[];
  discriminator: { propertyName: string; mapping: Record<string, string> };
}

/** Answers without a body. */
const EMPTY = new Set(['101', '204', '304']);

describe('openapi.json', () => {
  it('is current: `npm run openapi` writes it', async () => {
    expect(readFileSync(join(__dirname, '../../openapi.json'), 'utf8')).toBe(await openApiText());
  });

  it('is a valid document of OpenAPI 3.1', () => {
    const said = runProgram('node_modules/@seriousme/openapi-schema-validator/bin/validate-api-cli.js', [
      'openapi.json',
    ]);
    expect(said).toEqual({ status: 0, errors: '' });
  });

  it('has given the command line its types: `npm run openapi` writes them', () => {
    expect(runProgram('scripts/openapi.cjs', ['--check'])).toEqual({ status: 0, errors: '' });
  });

  it('has no reference that leads nowhere, and no schema that nothing uses', () => {
    const text = JSON.stringify(OPENAPI);
    const used = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1]));
    expect(used).toEqual(new Set(Object.keys(OPENAPI.components.schemas)));
  });

  it('has each problem answer once, and no answer that nothing uses', () => {
    const answers = Object.values(WRITTEN.paths).flatMap((item) =>
      Object.values(item).flatMap(({ responses }) => Object.entries(responses)),
    );
    const problems = answers
      .filter(([status]) => /^[45]/.test(status))
      .map(([, answer]) => answer as { $ref?: string });
    // Readiness answers with its state, well or not.
    expect(problems.filter(({ $ref }) => $ref === undefined)).toEqual([
      WRITTEN.paths['/health/ready']?.['get']?.responses['503'],
    ]);
    const used = new Set(problems.flatMap(({ $ref }) => $ref?.replace('#/components/responses/', '') ?? []));
    expect(used).toEqual(new Set(Object.keys(WRITTEN.components.responses)));
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

  it('has one union of all events, told apart by their type', () => {
    const { RunEvent } = OPENAPI.components.schemas as unknown as Record<string, Union>;
    expect(RunEvent?.discriminator.propertyName).toBe('type');
    const mapping = RunEvent?.discriminator.mapping ?? {};
    expect(Object.keys(mapping)).toEqual(Object.keys(EVENT_TYPES));
    expect(RunEvent?.oneOf.map(({ $ref }) => $ref)).toEqual(Object.values(mapping));
    for (const [type, place] of Object.entries(mapping)) {
      const schema = OPENAPI.components.schemas[place.split('/').at(-1) ?? ''];
      expect(schema?.properties).toMatchObject({ type: { const: type }, at: {} });
    }
  });

  it('says where the API is', () => {
    const { servers } = OPENAPI as unknown as { servers: { url: string }[] };
    expect(servers.map(({ url }) => url)).toEqual(['/', 'http://127.0.0.1:{port}']);
  });

  it('names an id in a query by its thing alone', () => {
    const names = operations().flatMap(({ operation }) =>
      (operation.parameters ?? []).filter((each) => each.in === 'query').map(({ name }) => name),
    );
    expect([...new Set(names)].filter((name) => /(_id|Id)$/.test(name))).toEqual(['last_event_id']);
  });

  it('has one id and one tag for every operation', () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/.test(id))).toEqual([]);
    expect(ids).toEqual(expect.arrayContaining(['approvals.approve', 'runs.start', 'runs.cancel', 'playbooks.test']));
    expect(operations().filter(({ operation }) => operation.tags.length !== 1)).toEqual([]);
  });

  it('keeps no word of OpenAPI 3.0', () => {
    const found: string[] = [];
    const walk = (node: unknown, place: string): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, child] of Object.entries(node)) {
        const inProperties = place.endsWith('/properties');
        if (!inProperties && ['nullable', 'example'].includes(key)) found.push(`${place}/${key}`);
        if (key.startsWith('exclusive') && typeof child === 'boolean') found.push(`${place}/${key}`);
        // Allows the access rule in the document.
        if (key.startsWith('x-') && key !== ACCESS_EXTENSION) found.push(`${place}/${key}`);
        walk(child, `${place}/${key}`);
      }
    };
    walk(OPENAPI, '');
    expect(found).toEqual([]);
  });

  it('asks for a key where something is made or started, and for a version where something is changed', () => {
    /** POSTs that change nothing, and a link, which can be used once. */
    const looks = [
      '/playbooks/validate',
      '/playbooks/{id}/validate',
      '/connectors/validate',
      '/connectors/{id}/validate',
      '/connectors/from-openapi',
      '/connectors/from-sample',
      '/playbooks/{id}/test',
      '/approvals/{approvalId}/check',
      '/codec/decode',
      '/codec/encode',
    ];
    /** Signing in and out: whoever asks is nobody yet, a token is used once, and what a repeat does is harmless. */
    const doors = ['register', 'login', 'refresh', 'logout', 'password', 'links/{token}'].map((way) => `/auth/${way}`);
    const keyless = [...looks, ...doors, '/links/approvals/{token}', '/{token}/decide'];
    const missing = operations().filter(({ method, path, operation }) => {
      const headers = operation.parameters?.filter((each) => each.in === 'header').map((each) => each.name) ?? [];
      if (method === 'post') return !keyless.some((end) => path.endsWith(end)) && !headers.includes('Idempotency-Key');
      return method !== 'get' && !headers.includes('If-Match');
    });
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it('says of every answer which version it shows, and when to come again', () => {
    for (const { path, method, operation } of operations()) {
      const header = (status: string): string[] => Object.keys(operation.responses[status]?.headers ?? {});
      const conditional = operation.responses['304'] !== undefined;
      expect({ path, method, etag: header('200').includes('ETag') }).toMatchObject(
        conditional ? { etag: true } : { path },
      );
      if (!path.startsWith('/health')) expect(header('503')).toEqual(['Retry-After']);
      if (method !== 'get') expect(header('429')).toEqual(['Retry-After']);
    }
  });

  it('keeps JSON in snake_case, but for the three ids', () => {
    const names = Object.values(OPENAPI.components.schemas).flatMap((schema) => Object.keys(schema.properties ?? {}));
    const others = names.filter((name) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name));
    expect([...new Set(others)].sort()).toEqual(['approvalId', 'decisionId', 'runId']);
  });
});
