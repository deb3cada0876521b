import { expect } from '@jest/globals';
import type { JsonObject } from '../../../../core/base/json';
import type { EndpointResult } from '../../../../infra/connectors/types';
import { dataBytes } from '../../../support/data-readme';
import { each, type Check, type Checks } from '../row';
import { rows } from '../world';

/** Root element → format. A page around a feed is looked through. */
const FORMATS: Record<string, string> = { feed: 'atom', html: 'atom', rss: 'rss', RDF: 'rdf' };
const ATOM_LINK = /<link[^>]*href=["'](?!https?:)([^"']+)["']/;

const feed: Check = async ({ path, said, world }) => {
  const result = await world.feed(path);
  const items = rows(result);
  const source = dataBytes(path).toString('latin1');
  const about = rows(result, 'feeds')[0];
  const [root = ''] = said.take(/root (\w+)/);
  expect(about).toMatchObject({ format: FORMATS[root] });
  // How untidy it is: nothing of it is lost.
  const wellFormed = said.takeIfSaid(/(?<!NOT )well-formed/) !== undefined;
  const why = wellFormed ? '' : (said.take(/NOT well-formed \((.*?\(.*?\)|.*?line 2, col\)|.*?, \))/)[0] ?? '');
  expect(/^\s+<\?xml/.test(source)).toBe(why.includes('declaration allowed only at the start'));
  const [declared = ''] = said.take(/declared encoding ([\w-]+)/);
  expect(/<\?xml[^>]*encoding=["']([\w-]+)/.exec(source.slice(0, 200))?.[1] ?? 'none').toBe(declared);
  said.same(/(\d+) entries, (\d+) distinct id\/guid\/link/, items.length + Number(result['duplicates']), items.length);
  said.same(/(\d+) entries without a date/, items.filter((item) => item['pubDate'] === null).length);
  expectAbsolute(items);
  said.take(/\d+ relative links/);
  said.same(/(\d+) CDATA blocks/, source.match(/<!\[CDATA\[/g)?.length ?? 0);
  // The description lost an ampersand.
  const [title = ''] = said.take(/first title '(.*)'$/);
  const titles = items.map((item) => String(item['title'] ?? '').replace(' & ', '  ').slice(0, 60).trimEnd());
  expect(titles).toContain(title.trimEnd());
  void ATOM_LINK;
};

function expectAbsolute(items: readonly JsonObject[]): void {
  const links = items.map((item) => item['link']).filter((link) => link !== null);
  expect(links.filter((link) => !/^https?:\/\//.test(String(link)))).toEqual([]);
}

/** What feedparser's own test of the file expects; `bozo` is a feed with something wrong in it. */
const awkward: Check = async ({ path, said, world }) => {
  said.take(/description: .*?;/);
  const [expected = ''] = said.take(/expected by feedparser: (.*)$/);
  const result: EndpointResult = await world.feed(path);
  const about = rows(result, 'feeds')[0];
  for (const condition of expected.split(' and ')) {
    const [, name = '', value = ''] = /^(.*?)(?: == '?(.*?)'?)?$/.exec(condition) ?? [];
    const found: Record<string, unknown> = {
      bozo: rows(result, 'warnings').length > 0,
      'not bozo': rows(result, 'warnings').length === 0,
      encoding: String(about?.['encoding']).toLowerCase() === value.toLowerCase(),
      "feed['title']": about?.['title'] === value,
      "ord(entries[0]['description'])": String(rows(result)[0]?.['description']).codePointAt(0) === Number(value),
    };
    expect({ [condition]: found[name] }).toEqual({ [condition]: true });
  }
};

const jsonFeed: Check = async ({ path, said, world }) => {
  const result = await world.feed(path);
  said.take(/JSON Feed version https:\/\/jsonfeed\.org\/version\/1/);
  expect(rows(result, 'feeds')[0]).toMatchObject({ format: 'json' });
  said.same(/(\d+) items/, rows(result).length);
};

export const feeds: Checks = {
  ...each(
    feed,
    'AmazonWebServicesBlog.xml',
    'AtomWithITunesInCDATA.xml',
    'DuplicateContentAtomFeed.xml',
    'FeedBurnerUrlNoAlternate.xml',
    'HREFConsideredHarmful.xml',
    'ITunesWithSingleQuotedAttributes.xml',
    'InvalidDateFormat.xml',
    'PaulDixExplainsNothing.xml',
    'RSSWithComments.xml',
    'SYNTH-no-dates-PaulDixExplainsNothing.xml',
    'SamRuby.xml',
    'TypePadNews.xml',
    'a10.xml',
    'handmade_empty.rss',
    'handmade_full.atom',
    'handmade_relative.rss',
    'itunes.xml',
    'markitdown_test_rss.xml',
    'org_feed.xml',
    'rss_ca10.xml',
  ),
  ...each(
    awkward,
    'handmade_encoding_bozo_bogus_encoding.xml',
    'handmade_encoding_double-encoded-html.xml',
    'handmade_encoding_utf-16le-bom.xml',
    'handmade_illformed_always_strip_doctype.xml',
    'handmade_illformed_chardet_big5.xml',
    'handmade_illformed_chardet_koi8r.xml',
    'handmade_illformed_chardet_shiftjis.xml',
  ),
  'json_feed.json': jsonFeed,
};
