import { describe, expect, it } from '@jest/globals';
import { parseFeed } from '../../../../connectors/kinds/feeds/parse-feed';
import type { ParsedFeed } from '../../../../connectors/kinds/feeds/parsed-feed';
import { summaryOf } from '../../../../connectors/kinds/feeds/plain-text';

const feed = (content: string | Buffer, contentType = '', url = 'https://feeds.example.org/a/feed.xml'): ParsedFeed =>
  parseFeed({ bytes: Buffer.from(content), contentType, url });
const rss = (item: string, channel = ''): string =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>C</title>${channel}${item}</channel></rss>`;

describe('kinds of feeds', () => {
  it('RSS 2.0', () => {
    const item = `<item><title>A &amp; B</title><link>https://x.org/1</link><guid isPermaLink="false">g1</guid>
      <description><![CDATA[<p>one <b>two</b></p>]]></description><pubDate>Mon, 16 Oct 2017 15:10:00 +0000</pubDate>
      <author>jo@x.org (Jo Doe)</author><category>c1</category><category>c2</category>
      <enclosure url="/f.mp3" length="12" type="audio/mpeg"/></item>`;
    expect(feed(rss(item, '<link>https://x.org/</link>'))).toEqual({
      format: 'rss',
      title: 'C',
      encoding: 'utf-8',
      warnings: [],
      items: [
        {
          title: 'A & B',
          description: '<p>one <b>two</b></p>',
          summary: 'one two',
          pubDate: '2017-10-16T15:10:00Z',
          link: 'https://x.org/1',
          category: ['c1', 'c2'],
          guid: 'g1',
          author: 'Jo Doe',
          enclosure: { url: 'https://x.org/f.mp3', type: 'audio/mpeg', length: 12 },
        },
      ],
    });
  });
  it('RSS by Dublin Core, with content alone', () => {
    const item =
      '<item><title>t</title><dc:date>2017-10-16T15:10:00+02:00</dc:date><dc:creator>Ann</dc:creator><content:encoded>all</content:encoded></item>';
    expect(feed(rss(item)).items).toMatchObject([
      { pubDate: '2017-10-16T13:10:00Z', author: 'Ann', description: 'all' },
    ]);
  });
  it('Atom', () => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://x.org/dir/"><title>F</title><author><name>Feed Author</name></author>
      <entry><id>urn:1</id><title type="html">a &lt;b&gt;b&lt;/b&gt;</title><link rel="edit" href="no"/><link href="1.html"/>
      <link rel="enclosure" href="e.pdf" type="application/pdf" length="9"/><updated>2020-01-02T00:00:00Z</updated><published>2020-01-01T00:00:00Z</published>
      <category term="k" label="Kind"/><summary>s</summary><content>c</content></entry>
      <entry xml:base="sub/"><id>urn:2</id><title>t</title><link rel="alternate" href="2.html"/><updated>2020-01-02T00:00:00Z</updated><author><name>Own</name></author></entry></feed>`;
    expect(feed(atom)).toMatchObject({
      format: 'atom',
      title: 'F',
      items: [
        {
          guid: 'urn:1',
          title: 'a b',
          link: 'https://x.org/dir/1.html',
          pubDate: '2020-01-01T00:00:00Z',
          description: 's',
          author: 'Feed Author',
          category: expect.stringMatching(/^(k|Kind)$/),
          enclosure: { url: 'https://x.org/dir/e.pdf', type: 'application/pdf', length: 9 },
        },
        { guid: 'urn:2', link: 'https://x.org/dir/sub/2.html', pubDate: '2020-01-02T00:00:00Z', author: 'Own' },
      ],
    });
  });
  it('RDF', () => {
    const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
      <channel rdf:about="https://x.org/"><title>R</title><link>https://x.org/</link><description>d</description></channel>
      <item rdf:about="https://x.org/1"><title>one</title><link>https://x.org/1</link><dc:date>2008-09-02T12:50:07-07:00</dc:date><dc:subject>s</dc:subject></item></rdf:RDF>`;
    expect(feed(rdf)).toMatchObject({
      format: 'rdf',
      items: [{ title: 'one', link: 'https://x.org/1', pubDate: '2008-09-02T19:50:07Z', category: 's' }],
    });
  });
  it('JSON Feed', () => {
    const json = {
      version: 'https://jsonfeed.org/version/1.1',
      title: 'J',
      home_page_url: 'https://x.org/',
      authors: [{ name: 'All' }],
      items: [
        {
          id: '1',
          url: '/1',
          title: 't',
          content_html: '<p>h</p>',
          date_published: '2020-01-01T00:00:00Z',
          tags: ['a'],
          attachments: [{ url: 'https://x.org/f', mime_type: 'a/b', size_in_bytes: 3 }],
        },
      ],
    };
    expect(feed(JSON.stringify(json), 'application/feed+json')).toMatchObject({
      format: 'json',
      items: [
        { guid: '1', link: 'https://x.org/1', summary: 'h', category: 'a', author: 'All', enclosure: { length: 3 } },
      ],
    });
  });
});

describe('feeds as they are', () => {
  it('an item without guid goes by its link, without link by its content', () => {
    const { items } = feed(
      rss('<item><link>https://x.org/1</link></item><item><title>t</title></item><item><title>u</title></item>'),
    );
    expect(items[0]?.guid).toBe('https://x.org/1');
    expect(items[1]?.guid).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(items[2]?.guid).not.toBe(items[1]?.guid);
  });
  it('a guid that is an address is the link, unless it says that it is none', () => {
    const { items } = feed(
      rss('<item><guid>https://x.org/g</guid></item><item><guid isPermaLink="false">https://x.org/h</guid></item>'),
    );
    expect(items.map((item) => item.link)).toEqual(['https://x.org/g', null]);
  });
  it.each([
    ['the channel', '<link>https://x.org/blog/</link>', 'https://x.org/blog/1'],
    ['a relative channel', '<link>/home/</link>', 'https://feeds.example.org/home/1'],
    ['the feed itself', '', 'https://feeds.example.org/a/1'],
  ])('relative links start from %s', (_name, channel, link) => {
    expect(feed(rss('<item><link>1</link></item>', channel)).items[0]?.link).toBe(link);
  });
  it.each([
    ['blank lines before the declaration', `\n \n${rss('<item><title>t</title></item>')}`],
    ['a byte order mark and blank lines', `\ufeff\n${rss('<item><title>t</title></item>')}`],
    [
      'a document type',
      rss('<item><title>t</title></item>').replace(
        '?>',
        '?><!DOCTYPE rss SYSTEM "http://127.0.0.1:1/x.dtd" [<!-- ] > --> ]>',
      ),
    ],
    ['a comment that looks like a feed', `<!-- <rss> -->${rss('<item><title>t</title></item>')}`],
    ['a page around it', `<html><body>${rss('<item><title>t</title></item>').replace(/^.*?\?>/, '')}</body></html>`],
    ['text behind it', `${rss('<item><title>t</title></item>')}<script>x</script>`],
  ])('%s does no harm', (_name, text) => {
    expect(feed(text)).toMatchObject({ title: 'C', items: [{ title: 't' }], warnings: [] });
  });
  it('a feed that is cut off gives what it has, and says so', () => {
    const cut = rss('<item><title>one</title></item><item><title>two</title></item>').replace('</rss>', '');
    expect(feed(cut)).toMatchObject({
      items: [{ title: 'one' }, { title: 'two' }],
      warnings: [expect.stringContaining('cut off')],
    });
  });
  it.each([
    [
      'the declaration',
      Buffer.from(
        '<?xml version="1.0" encoding="iso-8859-1"?><rss><channel><title>caf\xe9</title></channel></rss>',
        'latin1',
      ),
      '',
      'café',
      'iso-8859-1',
      0,
    ],
    [
      'the answer',
      Buffer.from('<rss><channel><title>caf\xe9</title></channel></rss>', 'latin1'),
      'text/xml; charset=windows-1252',
      'café',
      'windows-1252',
      0,
    ],
    [
      'a name that nobody knows',
      Buffer.from('<?xml version="1.0" encoding="bogus"?><rss><channel><title>é</title></channel></rss>'),
      '',
      'é',
      'utf-8',
      1,
    ],
    [
      'a wrong one',
      Buffer.from(
        '<?xml version="1.0" encoding="utf-8"?><rss><channel><title>caf\xe9</title></channel></rss>',
        'latin1',
      ),
      '',
      'café',
      'windows-1252',
      2,
    ],
    [
      'UTF-16',
      Buffer.concat([
        Buffer.from([0xff, 0xfe]),
        Buffer.from('<rss><channel><title>ž</title></channel></rss>', 'utf16le'),
      ]),
      '',
      'ž',
      'utf-16le',
      0,
    ],
  ])('its encoding by %s', (_name, bytes, contentType, title, encoding, warnings) => {
    const parsed = feed(bytes, contentType);
    expect(parsed).toMatchObject({ title, encoding });
    expect(parsed.warnings).toHaveLength(warnings);
  });
  it('text that was encoded twice is what it was', () => {
    expect(feed(rss('<item><description>&#226;&#128;&#166;</description></item>')).items[0]?.description).toBe('…');
    expect(feed(rss('<item><title>Ünïcode é</title></item>')).items[0]?.title).toBe('Ünïcode é');
  });
});

describe('P05, P07: hostile feeds', () => {
  const entity = (declaration: string): string =>
    `<!DOCTYPE rss [${declaration}]>${rss('<item><title>&x;</title></item>').replace(/^<\?.*?\?>/, '')}`;
  it.each([
    ['an external entity', entity('<!ENTITY x SYSTEM "file:///etc/passwd">')],
    ['a bomb', entity(`<!ENTITY a "${'ha'.repeat(1_000)}"><!ENTITY x "${'&a;'.repeat(1_000)}">`)],
  ])('%s is never resolved', (_name, text) => {
    expect(feed(text).items[0]?.title?.length).toBeLessThan(10);
  });
  it.each([
    ['a page', '<html><body>x</body></html>', 'not_a_feed'],
    ['text', 'hello', 'not_a_feed'],
    ['nothing', '', 'not_a_feed'],
    ['JSON of another kind', '{"a":1}', 'malformed_feed'],
    ['broken JSON', '{"version":', 'malformed_json'],
    ['a document type without end', '<!DOCTYPE rss [', 'not_a_feed'],
  ])('%s is refused', (_name, text, code) => {
    expect(() => feed(text)).toThrow(expect.objectContaining({ code }));
  });
  it('mark-up without end is still read at once', () => {
    expect(summaryOf('<'.repeat(100_000))).toHaveLength(1_000);
    expect(summaryOf(`a${'<b '.repeat(50_000)}`)).toBe('a');
    expect(summaryOf('x &lt; y &#8230; &bogus; <script>no()</script>1 < 2')).toBe('x < y … &bogus; 1 < 2');
  });
});

// findings/29-feed-date-not-readable.md
it('a date that cannot be read is no missing date', () => {
  const items = `<item><title>old</title><link>http://ex.org/2</link><pubDate>Mon, May 25 2020 04:45:26 +0000</pubDate></item>
    <item><title>month in French</title><link>http://ex.org/8</link><pubDate>Ven, 22 juil 2016 15:30:07 +0200</pubDate></item>
    <item><title>zone</title><link>http://ex.org/9</link><pubDate>Mon, 25 May 2020 04:45:26 XYZ</pubDate></item>
    <item><title>none</title><link>http://ex.org/1</link></item>`;
  const read = feed(rss(items));
  expect(read.items.map(({ pubDate }) => pubDate)).toEqual([
    '2020-05-25T04:45:26Z',
    null,
    '2020-05-25T04:45:26Z',
    null,
  ]);
  expect(read.warnings).toEqual([
    expect.stringContaining('Ven, 22 juil 2016 15:30:07 +0200'),
    expect.stringContaining('XYZ'),
  ]);
});
