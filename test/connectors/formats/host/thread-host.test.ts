import { readFile, readdir, rm, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { transform } from '@swc/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FileEndpoint } from '../../../../core/connector/types';
import { createFileParserHost } from '../../../../connectors/formats/host/thread-host';
import { newFolder } from '../../../support/run-folder';

const ROOT = resolve(__dirname, '../../../..');
const ENDPOINT: FileEndpoint = {
  parser: 'xml',
  list_element: ['r/row'],
  fields: [{ field: 'n', paths: ['n'], type: 'integer' }],
  groups: {},
  delimiter: ',',
  encoding: 'auto',
  header: true,
};
const never = new AbortController().signal;
let built: string;

/** Threads run built code: the parser is compiled for this test as the build does it. */
beforeAll(async () => {
  built = newFolder('threads');
  await symlink(join(ROOT, 'node_modules'), join(built, 'node_modules'));
  for (const folder of ['core', 'connectors', 'infra/egress', 'infra/log', 'infra/secrets']) {
    const files = (await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true })).filter(
      (entry) => entry.isFile() && entry.name.endsWith('.ts'),
    );
    for (const file of files) {
      const source = join(file.parentPath, file.name);
      const target = join(built, relative(ROOT, source)).replace(/\.ts$/, '.js');
      await mkdir(dirname(target), { recursive: true });
      const options = {
        swcrc: false,
        jsc: { parser: { syntax: 'typescript' as const }, target: 'es2023' as const },
        module: { type: 'commonjs' as const },
      };
      await writeFile(target, (await transform(await readFile(source, 'utf8'), options)).code);
    }
  }
});
afterAll(() => rm(built, { recursive: true, force: true }));

const host = (
  options: { limitMs?: number; pageLimitMs?: number; memoryMb?: number } = {},
): ReturnType<typeof createFileParserHost> =>
  createFileParserHost({ entry: join(built, 'connectors/formats/host/parse-thread.js'), threads: 1, ...options });
const rows = (count: number): Buffer => Buffer.from(`<r>${'<row><n>1</n></row>'.repeat(count)}</r>`);

describe('parser threads', () => {
  it('give what the parser gives, and located faults, while the event loop goes on', async () => {
    const threads = host();
    let turns = 0;
    let next = setImmediate(function turn() {
      turns += 1;
      next = setImmediate(turn);
    });
    const parsed = await threads.parse({ endpoint: ENDPOINT, bytes: rows(3_000) }, never);
    clearImmediate(next);
    expect(parsed.records).toHaveLength(3_000);
    // Counts no turn if the file is parsed in this thread.
    expect(turns).toBeGreaterThan(0);
    await expect(
      threads.parse({ endpoint: ENDPOINT, bytes: Buffer.from('<r>\n<row></r>') }, never),
    ).rejects.toMatchObject({ code: 'malformed_xml', place: { line: 2 } });
    await threads.close();
  });

  it('a file that takes too long or too much memory is refused, and the next one is read', async () => {
    const slow = host({ limitMs: 300 });
    await expect(slow.parse({ endpoint: ENDPOINT, bytes: rows(300_000) }, never)).rejects.toMatchObject({
      code: 'parse_timeout',
    });
    await slow.close();
    const small = host({ memoryMb: 40 });
    await expect(small.parse({ endpoint: ENDPOINT, bytes: rows(150_000) }, never)).rejects.toMatchObject({
      code: 'file_too_complex',
    });
    expect((await small.parse({ endpoint: ENDPOINT, bytes: rows(2) }, never)).records).toEqual([{ n: 1 }, { n: 1 }]);
    await small.close();
  });

  it('an abort of the caller keeps its reason', async () => {
    const threads = host();
    const reason = new Error('cancelled');
    const abort = new AbortController();
    setTimeout(() => abort.abort(reason), 100);
    await expect(threads.parse({ endpoint: ENDPOINT, bytes: rows(300_000) }, abort.signal)).rejects.toBe(reason);
    await threads.close();
  });

  it('P10: pages and feeds are parsed there too, and one that runs too long is refused', async () => {
    const threads = host();
    const page = (html: string, selector: string): Parameters<typeof threads.page>[0] => ({
      bytes: Buffer.from(html),
      contentType: 'text/html',
      url: 'https://example.org/',
      endpoint: {
        list_selector: selector,
        fields: [{ field: 'id', selector: ':scope', attribute: 'id', multiple: false, type: 'string' }],
      },
    });
    expect((await threads.page(page('<p id="a">x</p>', 'p'), never)).records).toEqual([{ id: 'a' }]);
    const feed = {
      bytes: Buffer.from('<rss><channel><item><title>t</title></item></channel></rss>'),
      contentType: '',
      url: 'https://example.org/',
    };
    expect((await threads.feed(feed, never)).items).toMatchObject([{ title: 't' }]);
    await expect(threads.feed({ ...feed, bytes: Buffer.from('<html/>') }, never)).rejects.toMatchObject({
      code: 'not_a_feed',
    });
    await threads.close();
    const strict = host({ pageLimitMs: 1_500 });
    const nested = '<div><p>x</p>'.repeat(20_000);
    await expect(strict.page(page(nested, 'div:has(div:has(div:has(b)))'), never)).rejects.toMatchObject({
      code: 'parse_timeout',
    });
    expect((await strict.parse({ endpoint: ENDPOINT, bytes: rows(2) }, never)).records).toHaveLength(2);
    await strict.close();
  });

  it('the time of a file begins when its turn does', async () => {
    const threads = host({ limitMs: 8_000 });
    const first = threads.parse({ endpoint: ENDPOINT, bytes: rows(300_000) }, never).catch((error: unknown) => error);
    const abort = new AbortController();
    const second = threads.parse({ endpoint: ENDPOINT, bytes: rows(1) }, abort.signal);
    const third = threads.parse({ endpoint: ENDPOINT, bytes: rows(2) }, never);
    const reason = new Error('cancelled while waiting');
    abort.abort(reason);
    await expect(second).rejects.toBe(reason);
    await first;
    expect((await third).records).toHaveLength(2);
    await threads.close();
  });

  it('a feed does not pay for the start of its thread', async () => {
    const entry = join(built, 'connectors/formats/host/late-thread.js');
    const late =
      "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_000); module.exports = require('./parse-thread');";
    await writeFile(entry, late);
    const threads = createFileParserHost({ entry, threads: 1, pageLimitMs: 2_000 });
    const bytes = Buffer.from('<rss><channel><item><title>t</title></item></channel></rss>');
    const parsed = await threads.feed({ bytes, contentType: '', url: 'https://example.org/' }, never);
    expect(parsed.items).toMatchObject([{ title: 't' }]);
    await threads.close();
  });

  it('from sources, files are parsed in place', async () => {
    const inline = createFileParserHost();
    expect((await inline.parse({ endpoint: ENDPOINT, bytes: rows(1) }, never)).records).toEqual([{ n: 1 }]);
  });
});
