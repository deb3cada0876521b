import { feed, pages, postgres, scraper } from './definitions';
import { inAscii, type FetchSite, type SecondFetcher } from './site';

const NEXT = { type: 'next_url', next_path: 'next' } as const;
const LINK = { type: 'link_header' } as const;
const ELSEWHERE = ['bad_response'];
const DENIED = ['egress_denied'];
const NO_ROBOTS = { deps: { robotsOverride: ['*'] } };

function html(body: string): { headers: Record<string, string>; body: string } {
  return { headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

/** Reads a page of the source, and what it leads to. */
function crawl(site: FetchSite, page: string): Promise<unknown> {
  const follow = { selector: 'a.n', max_pages: 5 };
  return site.call(scraper(site.say('/page', html(page)), { follow }), NO_ROBOTS);
}

/** Addresses that an answer of a good source names. */
export const NAMED: SecondFetcher[] = [
  {
    name: 'next_url, which the definition does not name',
    ends: ELSEWHERE,
    fetch: (site, inside) => site.call(pages(site, NEXT, inside)),
  },
  {
    name: 'next_url, which the definition names',
    ends: DENIED,
    fetch: (site, inside) => site.call(pages(site, NEXT, inside, inside)),
  },
  {
    name: 'a Link header, which the definition does not name',
    ends: ELSEWHERE,
    fetch: (site, inside) => site.call(pages(site, LINK, inside)),
  },
  {
    name: 'a Link header, which the definition names',
    ends: DENIED,
    fetch: (site, inside) => site.call(pages(site, LINK, inside, inside)),
  },
  {
    name: 'a next page that redirects',
    ends: DENIED,
    fetch: (site, inside) => site.call(pages(site, NEXT, site.leading(inside))),
  },
  {
    name: 'robots.txt',
    ends: DENIED,
    fetch: (site, inside) => site.call(scraper(inside)),
  },
  {
    name: 'robots.txt, by a redirect',
    ends: DENIED,
    fetch: (site, inside) => {
      site.say('/robots.txt', { status: 302, headers: { location: inAscii(`${inside}/robots.txt`) } });
      return site.call(scraper(site.url));
    },
  },
  {
    name: 'a link that is followed',
    ends: ['stopped by other_origin'],
    fetch: (site, inside) => crawl(site, `<p>1</p><a class="n" href="${inside}/2">next</a>`),
  },
  {
    name: 'a link that is followed, under a <base>',
    ends: ['stopped by other_origin'],
    fetch: (site, inside) => crawl(site, `<base href="${inside}/"><p>1</p><a class="n" href="2">next</a>`),
  },
  {
    name: 'what a page shows: pictures, frames, styles, scripts',
    ends: ['stopped by end'],
    fetch: (site, inside) =>
      crawl(
        site,
        `<link rel="stylesheet" href="${inside}/c"><script src="${inside}/s"></script><p>1</p><img src="${inside}/i"><iframe src="${inside}/f"></iframe>`,
      ),
  },
  {
    name: 'links, enclosures and the picture of a feed',
    ends: ['read'],
    fetch: (site, inside) => {
      const item = `<item><title>t</title><link>${inside}/l</link><enclosure url="${inside}/e" length="1" type="audio/mpeg"/></item>`;
      const body = `<rss version="2.0"><channel><title>F</title><image><url>${inside}/i</url></image>${item}</channel></rss>`;
      return site.call(feed(site.say('/feed', { headers: { 'content-type': 'application/rss+xml' }, body })));
    },
  },
  {
    name: 'the host of a PostgreSQL',
    // Letters that such an address cannot hold are refused before anything is looked up.
    ends: ['egress_denied', 'invalid_secret'],
    fetch: (site, inside) => {
      const value = `postgresql://u:p@${inside.replace('http://', '')}/d?sslmode=disable`;
      return site.call(postgres(), { deps: { secretValues: { KEY: value } } });
    },
  },
];
