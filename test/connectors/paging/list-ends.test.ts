import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import type { Pagination, RestEndpoint } from '../../../core/connector/types';
import { sendJson, startHttpSource, type Answer, type HttpSource } from '../../support/http-source';
import { callRest, errorOf, paging, restEndpoint, results } from '../http-definitions';

let source: HttpSource;
let answer: Answer;
beforeAll(async () => {
  source = await startHttpSource((request, response) => answer(request, response));
});
afterAll(() => source.close());
beforeEach(() => void source.seen.splice(0));

const numberIn = (url: string, name: string): number => Number(new URL(url, 'http://x').searchParams.get(name));
const rows = (...ids: number[]): JsonObject[] => ids.map((id) => ({ id }));
const read = (given: Partial<Pagination> & Pick<Pagination, 'type'>, rest: Partial<RestEndpoint> = {}) =>
  callRest(restEndpoint({ pagination: paging(given), response_mapping: results('items'), ...rest }), { source });
const send =
  (body: string, type: string, status = 200): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': type });
    response.end(body);
  };

// findings/05-short-page.md: page 2 of 4 has two of three records.
describe('a short page', () => {
  const PAGES = [rows(1, 2, 3), rows(4, 5), rows(6, 7, 8), rows(9), []];
  const meta = { total: 9, text: '9', more: [true, true, true, false, false] };
  const paged: Pick<Pagination, 'type' | 'param' | 'size' | 'size_param'> = {
    type: 'page',
    param: 'page',
    size: 3,
    size_param: 'per',
  };
  beforeEach(() => {
    answer = ({ url }, response) => {
      const at = numberIn(url, 'page') - 1;
      sendJson(response, { items: PAGES[at] ?? [], total: meta.total, text: meta.text, more: meta.more[at] ?? false });
    };
  });

  it('is taken for the end, and the result says that it is a guess', async () => {
    expect(await read(paged)).toMatchObject({ count: 5, pages: 2, stopped_by: 'short_page', truncated: 'unknown' });
  });

  it.each<[string, Partial<Pagination>, number]>([
    ['the empty page is asked for', { ends_with: ['empty_page'] }, 5],
    ['the answer names the total', { total_path: 'total' }, 4],
    ['the total is a text', { total_path: 'text' }, 4],
    ['the answer says whether there is more', { more_path: 'more' }, 4],
    ['the total is nowhere', { total_path: 'nowhere' }, 5],
  ])('is none where %s', async (_name, given, pages) => {
    const known = { count: 9, pages, stopped_by: 'end', truncated: false };
    expect(await read({ ...paged, ...given })).toMatchObject(known);
  });

  it('is the end where the definition vouches for it', async () => {
    const known = { count: 5, pages: 2, stopped_by: 'end', truncated: false };
    expect(await read({ ...paged, ends_with: ['short_page'] })).toMatchObject(known);
  });

  it('a total that was not reached is no end, one that cannot be read is a warning with its text', async () => {
    meta.total = 12;
    expect(await read({ ...paged, total_path: 'total' })).toMatchObject({
      count: 9,
      stopped_by: 'below_total',
      truncated: 'unknown',
    });
    meta.total = 9;
    meta.text = 'about 9';
    const warnings = [{ code: 'unreadable_paging', message: expect.stringContaining('about 9') }];
    expect(await read({ ...paged, total_path: 'text' })).toMatchObject({
      count: 9,
      stopped_by: 'unreadable',
      truncated: 'unknown',
      warnings,
    });
  });

  it.each<[string, Json[], string, boolean | 'unknown']>([
    ['on every page', ['1,009', '1,009', '1,009', '1,009', '1,009'], 'unreadable', 'unknown'],
    ['on the first page alone', ['1,009', null, null, null, null], 'unreadable', 'unknown'],
    ['and can be read later', ['1,009', 9, 9, 9, 9], 'unreadable', 'unknown'],
    ['nowhere', [9, 9, 9, 9, 9], 'end', false],
  ])('a total that cannot be read %s', async (_when, totals, stopped_by, truncated) => {
    answer = ({ url }, response) => {
      const at = numberIn(url, 'page') - 1;
      sendJson(response, { items: PAGES[at] ?? [], total: totals[at] ?? null });
    };
    for (const ends of [{}, { ends_with: ['empty_page' as const] }])
      expect(await read({ ...paged, ...ends, total_path: 'total' })).toMatchObject({ count: 9, stopped_by, truncated });
  });

  it('no vouched end is certain beside a total or a flag that cannot be read', async () => {
    answer = ({ url }, response) => {
      const at = numberIn(url, 'page') - 1;
      if (at < PAGES.length) sendJson(response, { items: PAGES[at] ?? [], total: 'many', more: 'maybe' });
      else response.writeHead(404).end();
    };
    const unknown = { stopped_by: 'unreadable', truncated: 'unknown' };
    expect(await read({ ...paged, ends_with: ['short_page'], total_path: 'total' })).toMatchObject(unknown);
    expect(await read({ ...paged, ends_with: ['not_found'], more_path: 'more' })).toMatchObject(unknown);
  });

  it('a total that changes while pages are read is told, and the end is a guess', async () => {
    answer = ({ url }, response) => {
      const at = numberIn(url, 'page') - 1;
      sendJson(response, { items: PAGES[at] ?? [], total: 11 - Math.min(at, 2) });
    };
    const message =
      '`total` of the answer went from 11 to 10 while pages were read: records may be missing or there twice.';
    expect(await read({ ...paged, total_path: 'total' })).toMatchObject({
      count: 9,
      pages: 4,
      stopped_by: 'total_changed',
      truncated: 'unknown',
      warnings: [{ code: 'unreadable_paging', message }],
    });
  });

  it('a total below what was read ends no list', async () => {
    answer = ({ url }, response) => {
      const at = numberIn(url, 'page') - 1;
      sendJson(response, { items: PAGES[at] ?? [], total: at === 0 ? 4 : 3 });
    };
    const warnings = [
      { code: 'unreadable_paging', message: '`total` of the answer says 3, and 5 records were there.' },
    ];
    const known = { count: 9, pages: 5, stopped_by: 'total_changed', truncated: 'unknown' };
    const found = await read({ ...paged, total_path: 'total' });
    expect(found).toMatchObject({ ...known, warnings: expect.arrayContaining(warnings) });
  });

  it('of an offset is the same guess, and its total counts from where the caller begins', async () => {
    const all = rows(0, 1, 2, 3, 4, 5, 6);
    answer = ({ url }, response) => {
      const at = numberIn(url, 'skip');
      sendJson(response, { items: all.slice(at, at === 0 ? 3 : at + 2), total: all.length });
    };
    const offset = { type: 'offset', param: 'skip', size: 3 } as const;
    expect(await read(offset)).toMatchObject({ count: 5, stopped_by: 'short_page', truncated: 'unknown' });
    expect(await read({ ...offset, total_path: 'total' })).toMatchObject({ count: 7, stopped_by: 'end' });
  });
});

describe('where the next page should be named', () => {
  it.each<[string, Partial<Pagination> & Pick<Pagination, 'type'>, JsonObject, string]>([
    ['a path that leads nowhere', { type: 'cursor', param: 'c', cursor_path: 'meta.next' }, {}, 'no_next'],
    ['a record for a cursor', { type: 'cursor', param: 'c', cursor_path: 'next' }, { next: { a: 1 } }, 'unreadable'],
    ['a number for an address', { type: 'next_url', next_path: 'next' }, { next: 7 }, 'unreadable'],
    ['an address nowhere', { type: 'next_url', next_path: 'links.next' }, {}, 'no_next'],
  ])('%s is a guess', async (_name, given, beside, stopped_by) => {
    answer = (_request, response) => sendJson(response, { items: rows(1), ...beside });
    expect(await read(given)).toMatchObject({ count: 1, stopped_by, truncated: 'unknown' });
  });

  it.each<[string, Partial<Pagination> & Pick<Pagination, 'type'>, JsonObject]>([
    ['null', { type: 'cursor', param: 'c', cursor_path: 'meta.next' }, { meta: { next: null } }],
    ['nothing in the record', { type: 'cursor', param: 'c', cursor_path: 'meta.next' }, { meta: {} }],
    ['null for the record', { type: 'keyset', keys: { c: 'last.id' } }, { last: null }],
    ['an empty address', { type: 'next_url', next_path: 'next' }, { next: '' }],
  ])('%s is the end', async (_name, given, beside) => {
    answer = (_request, response) => sendJson(response, { items: rows(1), ...beside });
    expect(await read(given)).toMatchObject({ count: 1, stopped_by: 'end', truncated: false });
  });

  it('a Link header without a link is a warning with its text', async () => {
    answer = (_request, response) => {
      response.setHeader('link', '/rows?at=2 rel=next');
      sendJson(response, { items: rows(1) });
    };
    const warnings = [{ code: 'unreadable_header', message: expect.stringContaining('/rows?at=2 rel=next') }];
    expect(await read({ type: 'link_header' })).toMatchObject({ stopped_by: 'unreadable', warnings });
  });
});

describe('an XML answer', () => {
  const xml = (path: string): RestEndpoint =>
    restEndpoint({ response_format: 'xml', response_mapping: results(path, { id: 'id' }) });
  // findings/xml-error-200.xml
  const ERROR = '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>';

  it.each(['feed/entry', '/feed/entry', '//entry', 'feed//entry', 'feed', 'a/b | c/d', 'feed/*[self::entry]'])(
    'of an error is no empty list: %s',
    async (path) => {
      answer = send(ERROR, 'application/xml');
      const error = await errorOf(callRest(xml(path), { source }));
      expect(error).toMatchObject({ code: 'bad_response', details: { cause: 'records_not_found' } });
      expect(error.message).toContain('<Error>');
    },
  );

  it.each(['feed/entry', '/feed/entry[@kind = "a/b"]', 'feed//entry', 'other/entry | feed/entry'])(
    'with what would hold the records is an empty list: %s',
    async (path) => {
      answer = send('<feed xmlns="urn:x"><title>t</title></feed>', 'application/xml');
      expect(await callRest(xml(path), { source })).toMatchObject({ count: 0, results: [] });
    },
  );

  it('as a whole is another one where of two fields or more none is there; one alone says too little', async () => {
    const whole = (fields: Record<string, string>): RestEndpoint =>
      restEndpoint({ response_format: 'xml', response_mapping: results(undefined, fields) });
    answer = send(ERROR, 'application/xml');
    const error = await errorOf(callRest(whole({ id: 'feed/id', name: 'feed/name' }), { source }));
    expect(error).toMatchObject({ code: 'bad_response', details: { status: 200 } });
    expect(error.message).toContain('nothing is at feed/id, feed/name');
    expect(await callRest(whole({ id: 'feed/id' }), { source })).toMatchObject({ results: [{ id: null }] });
    answer = send('<feed><name>n</name></feed>', 'application/xml');
    expect(await callRest(whole({ id: 'feed/id', name: 'feed/name' }), { source })).toMatchObject({
      results: [{ id: null, name: 'n' }],
    });
  });

  it('behind the last page may be a web page: the end only where the definition says so', async () => {
    answer = (request, response) => {
      const at = numberIn(request.url, 'start');
      const entries = [1, 2].map((id) => `<entry><id>${at + id}</id></entry>`).join('');
      if (at < 4) send(`<feed>${entries}</feed>`, 'application/atom+xml')(request, response);
      else send('<!DOCTYPE html><html><body>No matching.</body></html>', 'text/html')(request, response);
    };
    const offset = { type: 'offset', param: 'start', size: 2 } as const;
    const rest = { response_format: 'xml', response_mapping: results('feed/entry', { id: 'id' }) } as const;
    const known = { count: 4, pages: 2, stopped_by: 'end', truncated: false };
    expect(await read({ ...offset, ends_with: ['short_page', 'html'] }, rest)).toMatchObject(known);
    expect(await errorOf(read(offset, rest))).toMatchObject({ code: 'bad_response' });
    const first = await errorOf(read({ ...offset, start: 8, ends_with: ['html'] }, rest));
    expect(first).toMatchObject({ code: 'bad_response', details: { is_html: true } });
  });
});

describe('a CSV answer', () => {
  const csv = (given: Partial<RestEndpoint> = {}, fields: Record<string, string> = {}): RestEndpoint =>
    restEndpoint({ response_format: 'csv', response_mapping: results(undefined, fields), ...given });

  it.each<[string, Partial<RestEndpoint>, string | Buffer, JsonObject[]]>([
    ['sep= in its first line (findings/sep.csv)', {}, 'sep=;\na;b\n1;2', [{ a: '1', b: '2' }]],
    [
      'a delimiter',
      { text_format: { delimiter: ';', encoding: 'auto', header: true } },
      'a;b\n1;2',
      [{ a: '1', b: '2' }],
    ],
    ['no header', { text_format: { delimiter: ',', encoding: 'auto', header: false } }, '1,2', [{ 1: '1', 2: '2' }]],
    [
      'lines before the header, and an encoding',
      { text_format: { delimiter: '\t', encoding: 'windows-1252', header: true, skip_lines: 1 } },
      Buffer.from('Title\na\tb\n\xe9\t2', 'latin1'),
      [{ a: 'é', b: '2' }],
    ],
  ])('with %s', async (_name, given, body, expected) => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' });
      response.end(body);
    };
    expect((await callRest(csv(given), { source }))['results']).toEqual(expected);
  });

  it('that is a sentence is no table without rows', async () => {
    const send200 = (body: string): Answer => send(body, 'text/csv');
    for (const body of ['Service unavailable', 'Error: quota exceeded\n']) {
      answer = send200(body);
      expect(await errorOf(callRest(csv(), { source }))).toMatchObject({ code: 'bad_response' });
    }
    for (const body of ['id', 'first name,last name', 'full name\nx']) {
      answer = send200(body);
      expect(await callRest(csv(), { source })).toMatchObject({ count: body.includes('\n') ? 1 : 0 });
    }
  });

  it('without any of the columns that are wanted is another answer', async () => {
    for (const body of ['Sorry\nTry again\n', 'Try again']) {
      answer = send(body, 'text/csv');
      const error = await errorOf(callRest(csv({}, { ein: 'EIN' }), { source }));
      expect(error).toMatchObject({ code: 'bad_response', details: { cause: 'columns_not_found' } });
    }
    answer = send('<html>\n<p>Try again</p>\n', 'text/csv');
    const page = await errorOf(callRest(csv({}, { ein: 'EIN' }), { source }));
    expect(page).toMatchObject({ code: 'bad_response', details: { is_html: true } });
  });

  it('in two bytes a character is refused (findings/utf16nobom.csv)', async () => {
    answer = (_request, response) => response.end(Buffer.from('a,b\n1,x\n', 'utf16le'));
    const error = await errorOf(callRest(csv(), { source }));
    expect(error).toMatchObject({ code: 'bad_response', details: { cause: 'wrong_encoding' } });
    expect(error.message).toContain('utf-16le');
  });
});
