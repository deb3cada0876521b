import { constructed, grown, numberIn, recorded, rowsIn } from './material';
import { json, type Source, SOURCE_KEY, type SourceRequest, tooMany } from './source';

const API = 'www.courtlistener.com/api/rest/v4';
const OPINIONS = 45;
const SIZE = 20;

function search(request: SourceRequest): unknown {
  const { query, here } = request;
  const dockets = query.get('type') === 'r';
  const answer = recorded(`courtlistener/search_${dockets ? 'recap' : 'opinions'}_dev.json`);
  const total = dockets ? Number(answer['count']) : OPINIONS;
  const all = grown(rowsIn(answer, 'results'), total, (at) =>
    dockets
      ? { docket_id: 900_000 + at, caseName: `Constructed v. ${at}` }
      : { cluster_id: 900_000 + at, caseName: `Constructed v. ${at}` },
  );
  // The stand-in's cursor is the index of the first row of the page; clients do not read it.
  const from = numberIn(query, 'cursor', 0);
  const next = new URLSearchParams(query);
  next.set('cursor', String(from + SIZE));
  return {
    count: all.length,
    next: from + SIZE < all.length ? here(`https://${API}/search/?${next.toString()}`) : null,
    previous: null,
    results: all.slice(from, from + SIZE),
  };
}

/** CourtListener, version 4. */
export const COURTLISTENER: Source = {
  hosts: ['www.courtlistener.com'],
  admits: ({ headers }) =>
    headers.authorization === `Token ${SOURCE_KEY}`
      ? undefined
      : json({ detail: 'Authentication credentials were not provided.' }, 401),
  limited: (retryAfter) =>
    tooMany(json({ detail: `Request was throttled. Expected available in ${retryAfter} seconds.` }), retryAfter),
  missing: () => json({ detail: 'Not found.' }, 404),
  routes: [
    { at: `${API}/search/`, answer: (request) => json(search(request)) },
    { at: `${API}/dockets/72491415/`, answer: () => json(constructed('courtlistener/docket.json')) },
  ],
};
