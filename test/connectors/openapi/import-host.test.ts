import { resolve } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { createImportHost } from '../../../connectors/openapi/import-host';
import { makeConnector } from '../../../connectors/openapi/import-work';

/** Threads run built code; this one loads the sources as the tests do. */
const host = createImportHost(resolve(__dirname, 'import-thread.fixture.cjs'));
afterAll(() => host.close());

const never = new AbortController().signal;
const text = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'T' },
  paths: { '/a': { get: {} }, '/b': { get: {} } },
});
const job = { texts: [{ key: '', text, links: [] }], options: {} };

it('a thread gives what the import gives, while the event loop goes on', async () => {
  let turns = 0;
  let next = setImmediate(function turn() {
    turns += 1;
    next = setImmediate(turn);
  });
  const made = await host.makeConnector(job, never);
  clearImmediate(next);
  expect(made).toEqual(makeConnector(job));
  expect(made).toMatchObject({ valid: true, operations: 2 });
  expect(turns).toBeGreaterThan(0);
  expect(await host.filesOf('{"a": {"$ref": "b.json#/c"}}', never)).toEqual({ files: ['b.json'] });
});

it('a caller that waits no longer gets its own reason', async () => {
  const caller = new AbortController();
  const waiting = host.makeConnector(job, caller.signal);
  caller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});
