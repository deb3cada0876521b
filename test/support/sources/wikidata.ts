import { constructed, constructedText, numberIn, recorded, recordedBytes, type Row, rowsIn, within } from './material';
import { html, json, type Source, type SourceAnswer, tooMany } from './source';

/** A query is recognized by a word in it. */
const ANSWERS: [word: string, file: string][] = [
  ['pseudonyme', 'results_with_labels_descriptions_and_aliases.json'],
  ['executive', 'executive-index.srj'],
  ['position_name_pt', 'brazil-position-data.srj'],
  ['legislature', 'missing_position_legislative-index.srj'],
  ['year', 'multi_vars_sparql_results.json'],
];

function sparql(query: string, csv: boolean): SourceAnswer {
  const file = ANSWERS.find(([word]) => query.includes(word))?.[1];
  if (file === undefined)
    return {
      status: 400,
      body: 'SPARQL-QUERY: queryStr=\njava.util.concurrent.ExecutionException: MalformedQueryException',
    };
  if (csv)
    return { headers: { 'content-type': 'text/csv;charset=utf-8' }, body: constructedText('wikidata/multi_vars.csv') };
  return {
    headers: { 'content-type': 'application/sparql-results+json;charset=utf-8' },
    body: recordedBytes(`wikidata/${file}`),
  };
}

function entities(ids: string): Row {
  const found = ids.split('|').map((id) => within(recorded(`wikidata/entity_${id}.json`), 'entities'));
  return { entities: Object.assign({}, ...found) as Row, success: 1 };
}

/** Wikidata's query service and its action interface. Both refuse clients whose User-Agent has no contact address. */
export const WIKIDATA: Source = {
  hosts: ['query.wikidata.org', 'www.wikidata.org'],
  admits: ({ headers }) =>
    /@|https?:/.test(headers['user-agent'] ?? '')
      ? undefined
      : html('Please set a user-agent and respect our robot policy https://w.wiki/4wJS', 403),
  limited: (retryAfter) => tooMany(html('Too Many Requests - Please retry in a while'), retryAfter),
  missing: () => html('Not found', 404),
  routes: [
    {
      at: 'query.wikidata.org/sparql',
      answer: ({ query, headers }) =>
        sparql(
          query.get('query') ?? '',
          query.get('format') !== 'json' && (headers.accept ?? '').startsWith('text/csv'),
        ),
    },
    {
      at: 'www.wikidata.org/w/api.php',
      answer: ({ query }) => {
        if (query.get('action') === 'wbgetentities') return json(entities(query.get('ids') ?? ''));
        const all = rowsIn(constructed('wikidata/search.json'), 'search');
        const from = numberIn(query, 'continue', 0);
        const rows = all.slice(from, from + numberIn(query, 'limit', 7));
        return json({ searchinfo: { search: query.get('search') }, search: rows, success: 1 });
      },
    },
  ],
};
