import { expect, it } from '@jest/globals';
import { parseFeed } from '../../../../connectors/kinds/feeds/parse-feed';
import type { ParsedFeed } from '../../../../connectors/kinds/feeds/parsed-feed';
import { recentItems } from '../../../../connectors/kinds/feeds/recent-items';
import { describeWithData } from '../../../support/data';
import { dataBytes, dataFiles } from '../../../support/data-readme';

const read = (path: string): ParsedFeed =>
  parseFeed({ bytes: dataBytes(path), contentType: '', url: `https://feeds.example.org/dir/${path.split('/')[1]}` });
const counted = dataFiles('feeds').filter(({ finds }) => /\d+ entries/.test(finds));
const FORMATS: Record<string, ParsedFeed['format']> = { feed: 'atom', html: 'atom', rss: 'rss', RDF: 'rdf' };

describeWithData('feeds', 'feeds of the sample data', () => {
  it.each(counted.length === 0 ? [['', '']] : counted.map(({ path, finds }) => [path, finds]))('%s', (path, finds) => {
    const feed = read(path);
    const number = (pattern: RegExp): number => Number(pattern.exec(finds)?.[1]);
    expect(feed.format).toBe(FORMATS[/root (\w+)/.exec(finds)?.[1] ?? '']);
    expect(feed.items).toHaveLength(number(/(\d+) entries,/));
    expect(recentItems(feed.items, { since: undefined, most: 1_000 }).items).toHaveLength(number(/(\d+) distinct/));
    expect(feed.items.filter((item) => item.pubDate === null)).toHaveLength(number(/(\d+) entries without a date/));
    const title = /first title '(.*)'$/.exec(finds)?.[1] ?? '';
    // The reader behind that list lost an ampersand.
    expect((feed.items[0]?.title ?? '').replace(/ & /, '  ').slice(0, 60).trimEnd()).toBe(title.trimEnd());
    const relative = feed.items.filter((item) => item.link !== null && !/^https?:\/\//.test(item.link));
    expect(relative).toEqual([]);
  });

  it.each([
    ['feeds/json_feed.json', { format: 'json', title: 'inessential.com' }, 20],
    ['sec/current_filings_atom_first.xml', { format: 'atom', encoding: 'iso-8859-1' }, 100],
    ['feeds/handmade_encoding_utf-16le-bom.xml', { encoding: 'utf-16le' }, 0],
    ['feeds/handmade_illformed_always_strip_doctype.xml', { title: 'found', warnings: [] }, 0],
    [
      'feeds/handmade_encoding_bozo_bogus_encoding.xml',
      { warnings: expect.arrayContaining([expect.stringContaining('bogus')]) },
      0,
    ],
    ['feeds/handmade_illformed_chardet_big5.xml', { encoding: 'big5', warnings: [expect.any(String)] }, 0],
    ['feeds/handmade_illformed_chardet_koi8r.xml', { encoding: 'koi8-r', warnings: [expect.any(String)] }, undefined],
    [
      'feeds/handmade_illformed_chardet_shiftjis.xml',
      { encoding: 'shift_jis', warnings: [expect.any(String)] },
      undefined,
    ],
    ['feeds/handmade_encoding_double-encoded-html.xml', { items: [expect.objectContaining({ description: '…' })] }, 1],
    [
      'feeds/handmade_relative.rss',
      {
        items: [
          expect.objectContaining({
            link: 'https://feeds.example.org/dir/blog/post/1',
            enclosure: { url: 'https://feeds.example.org/dir/enclosure?q=a#fragment', type: null, length: null },
          }),
        ],
      },
      1,
    ],
    ['feeds/InvalidDateFormat.xml', { warnings: [expect.stringContaining('cut off')] }, 2],
  ] as [string, Partial<ParsedFeed>, number | undefined][])('%s in particular', (path, expected, count) => {
    const feed = read(path);
    expect(feed).toMatchObject(expected);
    if (count !== undefined) {
      expect(feed.items).toHaveLength(count);
    }
  });

  it('relative links of a feed that lies elsewhere start from its own site', () => {
    expect(read('feeds/SamRuby.xml').items[0]?.link).toBe('http://intertwingly.net/blog/2013/01/30/Plex');
    expect(new Set(read('sec/current_filings_atom_first.xml').items.map((item) => item.guid)).size).toBe(50);
  });
});
