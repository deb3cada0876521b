import { constructed, numberIn, type Row } from './material';
import { html, json, type Source, tooMany } from './source';

const SIZE = 20;

/** An instance of SearXNG that allows JSON. */
export const SEARXNG: Source = {
  hosts: ['localhost:8080'],
  limited: (retryAfter) => tooMany(html('Too Many Requests'), retryAfter),
  missing: () => html('Not found', 404),
  routes: [
    {
      at: 'localhost:8080/search',
      answer: ({ query }) => {
        if (query.get('format') !== 'json') return html('<h1>403 Forbidden</h1>', 403);
        const all = constructed<{ results: Row[] }>('searxng/search.json').results;
        const page = numberIn(query, 'pageno', 1);
        return json({
          query: query.get('q'),
          number_of_results: 0,
          results: all.slice((page - 1) * SIZE, page * SIZE),
          answers: [],
          corrections: [],
          infoboxes: [],
          suggestions: [],
          unresponsive_engines: [],
        });
      },
    },
  ],
};
