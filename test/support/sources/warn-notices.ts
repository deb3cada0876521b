import { recordedBytes } from './material';
import { html, type Source, tooMany } from './source';

/** Pages on which several states publish their notices, as Oklahoma had them. */
export const WARN_NOTICES: Source = {
  hosts: ['www.kansasworks.com'],
  limited: (retryAfter) => tooMany(html('Too Many Requests'), retryAfter),
  missing: () => html('Not found', 404),
  routes: [
    {
      at: 'www.kansasworks.com/robots.txt',
      answer: () => ({ headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /usr/\n' }),
    },
    {
      at: 'www.kansasworks.com/search/warn_lookups',
      answer: ({ query }) => html(recordedBytes(`html-pages/ok_warn_search_page${query.get('page') ?? '1'}.html`)),
    },
    {
      at: 'www.kansasworks.com/search/warn_lookups/780',
      answer: () => html(recordedBytes('html-pages/ok_warn_detail_780.html')),
    },
  ],
};
