import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import type { Pagination } from '../../../core/connector/types';
import { nextPosition, type PageFacts } from '../../../connectors/paging/next-position';
import { originsOf } from '../../../connectors/paging/next-url';
import { withCallerPaging, firstPosition, pageParametersAt, type Position } from '../../../connectors/paging/position';
import { isTruncated, STOPPED_BY } from '../../../connectors/paging/stopped-by';
import { paging } from '../http-definitions';

const rows = (count: number): JsonObject[] => Array.from({ length: count }, (_unused, id) => ({ id }));

describe('the next page', () => {
  const first: Position = { at: 'first' };
  const facts = (more: Partial<PageFacts> = {}): PageFacts => {
    const records = more.records ?? rows(3);
    const counts = { firstCount: records.length, readCount: records.length, skipped: 0 };
    return { data: { items: [...records] }, records, ...counts, link: undefined, ...more };
  };
  type Given = Partial<Pagination> & Pick<Pagination, 'type'>;
  const next = (given: Given, more: Partial<PageFacts> = {}, at: Position = first) =>
    nextPosition(paging(given), at, facts(more));
  const number = (value: number) => ({ position: { at: 'number', value } });
  /** The source itself says that there is more. */
  const named = (value: number) => ({ ...number(value), isNamed: true });
  const end = { stoppedBy: 'end' };

  it.each<[Given['type'], number]>([
    ['page', 5],
    ['offset', 7],
  ])('by a %s counts on from where this one is', (type, wanted) => {
    expect(next({ type }, {}, { at: 'number', value: 4 })).toEqual(number(wanted));
    // A place of another kind comes from a definition that has changed: the list begins where it says.
    expect(next({ type, start: 10 }, {}, { at: 'cursor', value: 'x' })).toEqual(number(type === 'page' ? 11 : 13));
  });

  describe('by number', () => {
    const given: Given = { type: 'page', size: 3 };
    const short = { records: rows(2), firstCount: 3, readCount: 5 };
    const at: Position = { at: 'number', value: 2 };

    it('is not asked for behind an empty page', () => expect(next(given, { records: [] }, at)).toEqual(end));

    it('is guessed not to be there behind a short page, once one was full and nobody says more', () => {
      expect(next(given, short, at)).toEqual({ stoppedBy: 'short_page' });
      expect(next(given, { ...short, firstCount: 2 }, at)).toEqual(number(3));
      expect(next({ type: 'page' }, short, at)).toEqual(number(3));
      expect(next(given, { ...short, records: rows(3) }, at)).toEqual(number(3));
      expect(next(given, { ...short, firstCount: 4 }, at)).toEqual({ stoppedBy: 'short_page' });
      expect(next({ ...given, ends_with: ['not_found'] }, short, at)).toEqual(number(3));
      expect(next({ ...given, ends_with: ['short_page'] }, short, at)).toEqual(end);
    });

    it('is there as long as the total says so, counted from where the caller began', () => {
      const total = (value: Json, more: Partial<PageFacts> = {}) => {
        const found = next({ ...given, total_path: 'total' }, { ...short, data: { total: value }, ...more }, at);
        expect(found.total).toBe(Number(value));
        const { total: _said, ...place } = found;
        return place;
      };
      expect(total(6)).toEqual(named(3));
      expect(total(5)).toEqual(end);
      expect(total('5')).toEqual(end);
      expect(total('12')).toEqual(named(3));
      expect(total(' 6 ')).toEqual(named(3));
      expect(total(6, { skipped: 1 })).toEqual(end);
      expect(total(6, { records: [] })).toEqual({ stoppedBy: 'below_total' });
      expect(total(5, { records: [] })).toEqual(end);
    });

    it('by a total that cannot be goes on to the empty page and says so', () => {
      const total = (value: Json, more: Partial<PageFacts> = {}) =>
        next({ ...given, total_path: 'page.total' }, { ...short, data: { page: { total: value } }, ...more }, at);
      for (const value of [0, 4, '4'])
        expect(total(value)).toEqual({
          ...number(3),
          warning: `\`page.total\` of the answer says ${value}, and 5 records were there.`,
        });
      expect(total(0, { records: [], readCount: 0 })).toEqual({ ...end, total: 0 });
      // A caller who began behind the end.
      expect(total(3, { records: [], readCount: 0, skipped: 9 })).toEqual({ ...end, total: 3 });
      for (const value of [-1, 5.5, '1,234', '5.0', [5]])
        expect(total(value)).toMatchObject({ ...number(3), warning: expect.stringContaining('cannot be read') });
    });

    it('by a total that is a least one ends nothing', () => {
      const hits = (value: Json, relation: Json) =>
        next(
          { ...given, total_path: 'hits.total.value' },
          { ...short, data: { hits: { total: { value, relation } } } },
          at,
        );
      expect(hits(5, 'eq')).toEqual({ ...end, total: 5 });
      expect(hits(5, 'gte')).toEqual(number(3));
      expect(hits(9, 'gte')).toEqual({ ...named(3), total: 9 });
    });

    it('by a total that is not there goes on as if nobody had named one, but for the short page', () => {
      for (const data of [{}, { total: null }, undefined] as (JsonObject | undefined)[]) {
        expect(next({ ...given, total_path: 'total' }, { ...short, data }, at)).toEqual(number(3));
        expect(next({ ...given, total_path: 'total' }, { records: [], data }, at)).toEqual(end);
      }
    });

    it.each<[Partial<Pagination>, Json, string]>([
      [{ total_path: 'said' }, 'about 9', '`said` of the answer cannot be read: `"about 9"`.'],
      [{ total_path: 'said' }, '1e3', '`said` of the answer cannot be read: `"1e3"`.'],
      [{ total_path: 'said' }, '-5', '`said` of the answer cannot be read: `"-5"`.'],
      [{ total_path: 'said' }, '', '`said` of the answer cannot be read: `""`.'],
      [{ total_path: 'said' }, '1234567890123456', '`said` of the answer cannot be read: `"1234567890123456"`.'],
      [{ total_path: 'said' }, true, '`said` of the answer cannot be read: `true`.'],
      [{ more_path: 'said' }, 'yes', '`said` of the answer cannot be read: `"yes"`.'],
      [{ more_path: 'said' }, 1, '`said` of the answer cannot be read: `1`.'],
      [
        { more_path: 'said' },
        ['x'.repeat(100)],
        `\`said\` of the answer cannot be read: \`${JSON.stringify(['x'.repeat(100)]).slice(0, 60)}…\`.`,
      ],
    ])('by what cannot be read goes on and says so: %j, %j', (named, said, warning) => {
      const data = { said };
      expect(next({ ...given, ...named }, { ...short, data }, at)).toEqual({ ...number(3), warning, isUnread: true });
      expect(next({ ...given, ...named }, { records: [], data }, at)).toEqual({ ...end, warning, isUnread: true });
      const vouched = { ...given, ...named, ends_with: ['short_page' as const] };
      expect(next(vouched, { ...short, data }, at)).toEqual({ ...end, warning, isUnread: true });
    });

    it('is there as the source says, whatever the page looks like', () => {
      const more = (value: boolean, about: Partial<PageFacts> = short) =>
        next({ ...given, more_path: 'more' }, { ...about, data: { more: value } }, at);
      expect(more(true)).toEqual(named(3));
      expect(more(false)).toEqual(end);
      expect(more(false, { records: rows(3) })).toEqual(end);
      expect(more(true, { records: [] })).toEqual({ stoppedBy: 'below_total' });
      // A total goes first.
      const both = { ...given, total_path: 'total', more_path: 'more' };
      expect(next(both, { ...short, data: { total: 9, more: false } }, at)).toEqual({ ...named(3), total: 9 });
    });
  });

  describe('by a cursor', () => {
    const given: Given = { type: 'cursor', param: 'c', cursor_path: 'page.end' };
    const by = (page: Json, more: Partial<PageFacts> = {}) => next(given, { data: { page }, ...more });

    it('is where it points, and nowhere where hasNextPage says so', () => {
      expect(by({ end: 'x' })).toEqual({ position: { at: 'cursor', value: 'x' }, isNamed: true });
      expect(by({ end: 0 })).toEqual({ position: { at: 'cursor', value: 0 }, isNamed: true });
      expect(by({ end: 'x', hasNextPage: true })).toEqual({ position: { at: 'cursor', value: 'x' }, isNamed: true });
      expect(by({ end: 'x', hasNextPage: null })).toEqual({ position: { at: 'cursor', value: 'x' }, isNamed: true });
      expect(by({ end: 'x', hasNextPage: false })).toEqual(end);
    });

    it('is not there where the source says nothing, an empty text, false, or leaves it out of what is there', () => {
      for (const page of [{ end: null }, { end: '' }, { end: false }, {}, null] as Json[])
        expect(by(page)).toEqual(end);
      expect(by(undefined as never)).toEqual({ stoppedBy: 'no_next' });
      expect(by('page')).toEqual({ stoppedBy: 'no_next' });
      expect(next(given, { data: undefined })).toEqual({ stoppedBy: 'no_next' });
      expect(next(given, { data: undefined, records: [] })).toEqual(end);
      expect(next({ ...given, cursor_path: 'a.page.end' }, { data: { a: null } })).toEqual(end);
      expect(next({ ...given, cursor_path: 'a.page.end' }, { data: { a: {} } })).toEqual({ stoppedBy: 'no_next' });
      expect(next({ ...given, cursor_path: 'end' }, { data: {} })).toEqual(end);
      expect(next({ ...given, cursor_path: 'end' }, { data: null })).toEqual(end);
      expect(next({ ...given, cursor_path: 'end' }, { data: 'text' })).toEqual({ stoppedBy: 'no_next' });
    });

    it('is a guess with the text where what stands there is none', () => {
      const warning = '`page.end` of the answer cannot be read: `{"a":1}`.';
      expect(by({ end: { a: 1 } })).toEqual({ stoppedBy: 'unreadable', warning });
      expect(by({ end: true })).toMatchObject({ stoppedBy: 'unreadable' });
      expect(by({ end: true }, { records: [] })).toMatchObject({ stoppedBy: 'unreadable' });
    });

    it('contradicts itself where hasNextPage is true and no cursor is there', () => {
      for (const page of [{ end: null }, { end: '' }, { end: false }, {}] as JsonObject[])
        for (const records of [rows(2), []])
          expect(by({ ...page, hasNextPage: true }, { records })).toMatchObject({ stoppedBy: 'contradiction' });
      expect(by({ end: null, hasNextPage: true }).warning).toBe(
        '`hasNextPage` beside `page.end` is true, and that is null.',
      );
      expect(by({ hasNextPage: true }).warning).toBe('`hasNextPage` beside `page.end` is true, and that is not there.');
      expect(by({ end: {}, hasNextPage: true })).toMatchObject({ stoppedBy: 'unreadable' });
      const warning = '`hasNextPage` of the answer cannot be read: `"false"`.';
      expect(by({ end: 'x', hasNextPage: 'false' })).toEqual({
        position: { at: 'cursor', value: 'x' },
        isNamed: true,
        warning,
      });
      expect(by({ end: null, hasNextPage: 'false' })).toEqual({ ...end, warning });
    });

    it('is a guess where it was never seen and the first page is full', () => {
      const sized: Given = { ...given, size: 3 };
      const full = { data: { page: {} }, records: rows(3) };
      expect(next(sized, full)).toEqual({ stoppedBy: 'no_next' });
      expect(next(sized, { ...full, records: rows(4) })).toEqual({ stoppedBy: 'no_next' });
      expect(next(sized, { ...full, records: rows(2) })).toEqual(end);
      expect(next(sized, { ...full, readCount: 6 })).toEqual(end);
      expect(next(sized, { ...full, data: { page: { end: null } } })).toEqual(end);
      expect(next({ ...given, size: 0 }, { ...full, records: rows(1) })).toEqual(end);
    });

    it('may have a name in quotes, as that of OData', () => {
      const odata = { ...given, cursor_path: '["@odata.next"]' };
      expect(next(odata, { data: { '@odata.next': 'x' } })).toEqual({
        position: { at: 'cursor', value: 'x' },
        isNamed: true,
      });
      expect(next(odata, { data: {} })).toEqual(end);
      expect(next({ ...given, cursor_path: 'page["a.b"]' }, { data: {} })).toEqual({ stoppedBy: 'no_next' });
    });
  });

  describe('by keys', () => {
    const given: Given = { type: 'keyset', keys: { index: 'last.index', date: 'last.date' } };
    const by = (last: Json, records: Json[] = rows(2)) => next(given, { data: { last }, records });
    const keys = (values: JsonObject) => ({ position: { at: 'keys', values }, isNamed: true });

    it('has each key of the answer, and of what is missing there that of the last record', () => {
      expect(by({ index: 5, date: 'd' })).toEqual(keys({ index: 5, date: 'd' }));
      expect(by({ index: 5, date: null })).toEqual(keys({ index: 5 }));
      expect(by({ index: '', date: 'd' })).toEqual(keys({ date: 'd' }));
      const warning = '`last.date` of the answer cannot be read: `{}`.';
      expect(by({ index: 5, date: {} })).toEqual({ ...keys({ index: 5 }), warning });
      expect(
        by(
          { index: 5 },
          ['a', 'c', 'b'].map((date) => ({ last: { date } })),
        ),
      ).toEqual(keys({ index: 5, date: 'b' }));
    });

    it('is not there where no key has a value, or the page is empty', () => {
      expect(by({ index: null, date: null })).toEqual(end);
      expect(by({ index: 5, date: 'd' }, [])).toEqual(end);
      expect(next({ type: 'keyset' }, {})).toEqual(end);
      expect(next(given, { data: {} })).toEqual({ stoppedBy: 'no_next' });
      const warning = '`last.index` of the answer cannot be read: `{}`.';
      expect(by({ index: {}, date: [] })).toEqual({ stoppedBy: 'unreadable', warning });
    });

    it('of the last record end no list where it has none', () => {
      const last = (record: JsonObject, at: Partial<PageFacts> = {}) =>
        next({ type: 'keyset', keys: { after: 'id' } }, { records: [{ id: 1 }, record], data: {}, ...at });
      expect(last({ id: 7 })).toEqual({ position: { at: 'keys', values: { after: 7 } } });
      const warning = (text: string) => `\`id\` of the last record cannot be read: \`${text}\`.`;
      for (const [value, text] of [
        [null, 'null'],
        ['', '""'],
        [[1], '[1]'],
      ] as [Json, string][])
        expect(last({ id: value })).toEqual({ stoppedBy: 'unreadable', warning: warning(text) });
      expect(last({})).toEqual({ stoppedBy: 'no_next' });
      expect(last({}, { readCount: 9 })).toEqual(end);
      expect(last({}, { data: { id: null } })).toEqual(end);
    });
  });

  it('by a header is its link; one that nobody can read is a guess with its text', () => {
    const by = (link: string | undefined) => next({ type: 'link_header' }, { link });
    expect(by('</x>; rel=next')).toEqual({ position: { at: 'url', url: '/x' }, isNamed: true });
    for (const link of [
      undefined,
      '',
      '  ',
      '</x>; rel=prev',
      '</x>; rel="prev next"; anchor="#y"',
      '</x>; rel=next-archive',
    ])
      expect(by(link)).toEqual(end);
    for (const link of ["</x>; rel='next'", '</x>; Rel="last  NEXT"', '</a,b>; rel=prev, </x>; rel=next'])
      expect(by(link)).toMatchObject({ position: { at: 'url' } });
    for (const link of ['<>; rel=next', '</x>; rel=prev, /y; rel=next', '</x>; rel=prev, https://h/y; rel="next"'])
      expect(by(link)).toMatchObject({ stoppedBy: 'unreadable', warning: expect.stringContaining(link.slice(0, 60)) });
    expect(next({ type: 'link_header', size: 3 }, { link: undefined })).toEqual({ stoppedBy: 'no_next' });
    expect(next({ type: 'link_header', size: 4 }, { link: undefined })).toEqual(end);
    const text = `next=${'x'.repeat(100)}`;
    const warning = `The header Link cannot be read: \`${text.slice(0, 60)}…\`.`;
    expect(by(text)).toEqual({ stoppedBy: 'unreadable', warning });
  });

  it('by an address is where it leads', () => {
    const by = (value: Json) => next({ type: 'next_url', next_path: 'next' }, { data: { next: value } });
    expect(by('/x')).toEqual({ position: { at: 'url', url: '/x' }, isNamed: true });
    for (const value of ['', null, false]) expect(by(value)).toEqual(end);
    expect(by(7)).toMatchObject({ stoppedBy: 'unreadable', warning: '`next` of the answer cannot be read: `7`.' });
    expect(next({ type: 'next_url', next_path: 'a[' }, { data: {} })).toEqual({ stoppedBy: 'no_next' });
  });
});

describe('where reading begins', () => {
  it('is what the caller says, where it is a whole number', () => {
    const given = paging({ type: 'offset', param: 'skip', size_param: 'n', size: 10, start: 1 });
    expect(withCallerPaging(given, { skip: 20, n: '50' })).toMatchObject({ start: 20, size: 50 });
    expect(withCallerPaging(given, { skip: 0, n: 0 })).toMatchObject({ start: 0, size: 0 });
    for (const value of ['', 'x', -1, 1.5, null, [1], true, '-2'])
      expect(withCallerPaging(given, { skip: value, n: value })).toEqual(given);
    const unnamed = paging({ type: 'page', size: 10 });
    expect(withCallerPaging(unnamed, { n: 5, undefined: 7 })).toEqual(unnamed);
  });

  it('is a number, the cursor that the caller gives, or the first page', () => {
    expect(firstPosition(paging({ type: 'page', param: 'p' }), { p: 9 })).toEqual({ at: 'number', value: 1 });
    expect(firstPosition(paging({ type: 'offset', start: 4 }), {})).toEqual({ at: 'number', value: 4 });
    const cursor = paging({ type: 'cursor', param: 'c' });
    expect(firstPosition(cursor, { c: 'x' })).toEqual({ at: 'cursor', value: 'x' });
    for (const c of ['', null, [], true]) expect(firstPosition(cursor, { c })).toEqual({ at: 'first' });
    expect(firstPosition(paging({ type: 'keyset', param: 'c' }), { c: 'x' })).toEqual({ at: 'first' });
  });

  it('is sent with the size, but for an address, which has all', () => {
    const given = paging({ type: 'cursor', param: 'c', size_param: 'n', size: 10, in: 'body' });
    const at = (position: Position, more: Partial<Pagination> = {}) =>
      pageParametersAt({ ...given, ...more }, position);
    expect(at({ at: 'cursor', value: 'x' })).toEqual({
      in: 'body',
      values: [
        ['n', 10],
        ['c', 'x'],
      ],
    });
    expect(at({ at: 'number', value: 3 })).toEqual({
      in: 'body',
      values: [
        ['n', 10],
        ['c', 3],
      ],
    });
    expect(at({ at: 'keys', values: { a: 1, b: 'y' } })).toEqual({
      in: 'body',
      values: [
        ['n', 10],
        ['a', 1],
        ['b', 'y'],
      ],
    });
    expect(at({ at: 'first' })).toEqual({ in: 'body', values: [['n', 10]] });
    expect(pageParametersAt(paging({ type: 'cursor', size: 10 }), { at: 'first' })).toEqual({
      in: 'query',
      values: [],
    });
    expect(pageParametersAt(paging({ type: 'cursor', size_param: 'n' }), { at: 'first' })).toEqual({
      in: 'query',
      values: [],
    });
    expect(at({ at: 'url', url: '/x' })).toEqual({ in: 'body', values: [], url: '/x' });
  });
});

it('a list is known to be over at its end, to go on where the source or a cut says so, and else nobody knows', () => {
  expect(isTruncated('end', false)).toBe(false);
  for (const why of STOPPED_BY.filter((each) => each !== 'end')) {
    expect([why, isTruncated(why, false), isTruncated(why, true)]).toEqual([why, 'unknown', true]);
  }
});

it('a source may send us to the origins of a definition alone', () => {
  expect(originsOf(['https://a.example/v1?x=1', undefined, 'nonsense', 'http://b.example:8080'])).toEqual([
    'https://a.example',
    'http://b.example:8080',
  ]);
});
