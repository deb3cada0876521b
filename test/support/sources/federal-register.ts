import { constructed, constructedText, grown, numberIn, recorded, type Row, slice } from './material';
import { json, type Source, tooMany } from './source';

const API = 'www.federalregister.gov/api/v1';

interface Documents {
  description: string;
  count: number;
  results: Row[];
}

/** The Federal Register: its interface and its feeds. */
export const FEDERAL_REGISTER: Source = {
  hosts: ['www.federalregister.gov'],
  limited: (retryAfter) => tooMany(json({ status: 429, message: 'Too Many Requests' }), retryAfter),
  missing: () => json(recorded('federal-register/document_not_found.json'), 404),
  routes: [
    {
      at: `${API}/documents.json`,
      answer: ({ query, here }) => {
        const answer = recorded<Documents>('federal-register/documents_bears_ears.json');
        const all = grown(answer.results, answer.count, (at) => ({ document_number: `9999-${at}`, title: `Constructed ${at}` }));
        const size = Math.min(numberIn(query, 'per_page', 20), 1000);
        const page = numberIn(query, 'page', 1);
        const part = slice(all, page, { size });
        const next = new URLSearchParams(query);
        next.set('page', String(page + 1));
        return json({
          description: answer.description,
          count: part.total,
          total_pages: part.pages,
          ...(page < part.pages ? { next_page_url: here(`https://${API}/documents.json?${next.toString()}`) } : {}),
          results: part.rows,
        });
      },
    },
    {
      at: `${API}/documents/2017-27451,2017-27513.json`,
      answer: () => json(recorded('federal-register/documents_by_number_2017.json')),
    },
    {
      at: `${API}/documents/2017-27451.json`,
      answer: () => json(constructed('federal-register/document.json')),
    },
    {
      at: `${API}/issues/2016-02-29.json`,
      answer: () => json(recorded('federal-register/2016-02-29-document-toc.json')),
    },
    { at: `${API}/agencies`, answer: () => json(constructed('federal-register/agencies.json')) },
    {
      at: `${API}/documents.rss`,
      answer: ({ query }) => ({
        headers: { 'content-type': 'application/rss+xml; charset=utf-8' },
        body: constructedText(`federal-register/${(query.get('conditions[type][]') ?? '').toLowerCase()}.rss`),
      }),
    },
  ],
};
