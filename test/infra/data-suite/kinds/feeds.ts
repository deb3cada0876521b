import { expect } from '@jest/globals';
import type { JsonObject } from '../../../../core/base/json';
import { dataBytes } from '../../../support/data-readme';
import { expectFault } from '../fault';
import { each, type Check, type Checks, type Row } from '../row';
import { asText, one, rows } from '../results';
import type { EndpointResult } from '../../../../connectors/call/connector-call';

/** Root element → format. A page around a feed is looked through. */
const FORMATS: Record<string, string> = { feed: 'atom', html: 'atom', rss: 'rss', RDF: 'rdf' };

const feed: Check = async ({ path, said, world }) => {
  const result = await world.feed(path);
  const items = rows(result);
  const source = dataBytes(path).toString('latin1');
  const about = rows(result, 'feeds')[0];
  const [root = ''] = said.take(/root (\w+)/);
  expect(about).toMatchObject({ format: FORMATS[root] });
  await expectForm({ path, said, world }, root);
  const [declared = ''] = said.take(/declared encoding ([\w-]+)/);
  expect(/<\?xml[^>]*encoding=["']([\w-]+)/.exec(source.slice(0, 200))?.[1] ?? 'none').toBe(declared);
  said.same(/(\d+) entries, (\d+) distinct id\/guid\/link/, items.length + Number(result['duplicates']), items.length);
  said.same(/(\d+) entries without a date/, items.filter((item) => item['pubDate'] === null).length);
  expectAbsolute(items);
  said.same(/(\d+) relative links/, relativeLinks(source));
  said.same(/(\d+) CDATA blocks/, source.match(/<!\[CDATA\[/g)?.length ?? 0);
  // The description lost an ampersand.
  const [title = ''] = said.take(/first title '(.*)'$/);
  const titles = items.map((item) =>
    asText(item['title'] ?? '')
      .replace(' & ', '  ')
      .slice(0, 60)
      .trimEnd(),
  );
  expect(titles).toContain(title.trimEnd());
};

/** Names with a prefix that is nowhere declared: the parser of the description stopped before it came to them. */
const UNDECLARED = ['feeds/ITunesWithSingleQuotedAttributes.xml', 'feeds/itunes.xml'];

/**
 * Read as XML, one that is not well-formed is refused with its line; blank lines before the declaration are no reason.
 * Read as a feed, nothing of it is lost.
 */
async function expectForm({ path, said, world }: Row, root: string): Promise<void> {
  const parsed = world.api(path, { format: 'xml', fields: { root: 'local-name(*)' } });
  const end = said.takeIfSaid(
    /NOT well-formed \(Premature end of data in tag \w+ line \d+, line (\d+), column \d+ \(<string>, \)/,
  );
  if (end !== undefined) {
    await expectFault(parsed, { code: 'bad_response', line: Number(end[0]) });
    return;
  }
  const late = /^\s+<\?xml/.test(dataBytes(path).toString('latin1'));
  const declaration = /NOT well-formed \(XML declaration allowed only at the start of the document, line 2, col\)/;
  said.sameFlag(declaration, late);
  said.sameFlag(/(?<!NOT )well-formed/, !late);
  if (UNDECLARED.includes(path)) {
    await expectFault(parsed, { code: 'bad_response' });
  } else {
    expect(one(await parsed)['root']).toBe(root);
  }
}

/** Entries whose first link, as it is written, has no scheme. */
function relativeLinks(source: string): number {
  const [, ...entries] = source.split(/<(?:entry|item)[\s>]/);
  const links = entries.map((entry) => /<link[^>]*?href=["']([^"']*)["']|<link>([^<]*)<\/link>/.exec(entry));
  const written = links.map((link) => link?.[1] ?? link?.[2] ?? '');
  return written.filter((link) => link !== '' && !/^\s*[a-z]+:/i.test(link)).length;
}

function expectAbsolute(items: readonly JsonObject[]): void {
  const links = items.map((item) => item['link']).filter((link) => link !== null);
  expect(links.filter((link) => !/^https?:\/\//.test(asText(link)))).toEqual([]);
}

/** Expectations of feedparser's own test of the file; `bozo` marks a faulty feed. */
const awkward: Check = async ({ path, said, world }) => {
  said.take(/description: .*?;/);
  const [expected = ''] = said.take(/expected by feedparser: (.*)$/);
  const result: EndpointResult = await world.feed(path);
  const about = rows(result, 'feeds')[0];
  // An empty feed is said, too; its form is not to blame.
  const wrong = rows(result, 'warnings').filter((warning) => warning['message'] !== 'It is empty.');
  for (const condition of expected.split(' and ')) {
    const [, name = '', value = ''] = /^(.*?)(?: == '?(.*?)'?)?$/.exec(condition) ?? [];
    const found: Record<string, unknown> = {
      bozo: wrong.length > 0,
      'not bozo': wrong.length === 0,
      encoding: asText(about?.['encoding']).toLowerCase() === value.toLowerCase(),
      "feed['title']": about?.['title'] === value,
      "ord(entries[0]['description'])": asText(rows(result)[0]?.['description']).codePointAt(0) === Number(value),
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
