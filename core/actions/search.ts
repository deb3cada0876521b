import { cols, opt, out, req } from './define';
import type { ActionContract } from './types';

const base = { group: 'search', step_type: 'tool', pure: false, effect: 'none', available: false } as const;

export const SEARCH_ACTIONS: ActionContract[] = [
  {
    ...base,
    name: 'search_documents',
    description: 'Searches the document library by meaning.',
    inputs: [req('query', 'string', 'What to search for.')],
    params: [
      opt('max_results', 'integer', 'At most this many documents.', { default: 10 }),
      opt('folder_id', 'string', 'Search only in this folder.'),
      opt('file_types', 'string[]', 'Keep only these file types.'),
    ],
    outputs: [
      out(
        'documents',
        'document[]',
        'Documents found, best first.',
        cols('document_id', 'title', 'snippet', 'score:number', 'folder_path'),
      ),
      out('count', 'integer', 'Number of documents.'),
    ],
    short: true,
  },
  {
    ...base,
    name: 'search_web',
    description: 'Searches the web.',
    inputs: [req('query', 'string', 'What to search for.')],
    params: [
      opt('max_results', 'integer', 'At most this many results.', { default: 10 }),
      opt('categories', 'string[]', 'Categories of the search engine.'),
    ],
    outputs: [
      out('results', 'web_result[]', 'Pages found, best first.', cols('title', 'url', 'snippet', 'source')),
      out('count', 'integer', 'Number of results.'),
    ],
    short: false,
  },
  {
    ...base,
    name: 'crawl_url',
    description: 'Fetches a page and extracts its content.',
    inputs: [req('url', 'string', 'Address of the page.')],
    params: [opt('extract_mode', 'string', 'What to extract.', { enum: ['text', 'markdown', 'structured'] })],
    outputs: [
      out('content', 'string', 'Content of the page.'),
      out('title', 'string', 'Title of the page.'),
      out('metadata', 'object', 'Author, date and the like, where the page states them.'),
      out('links', 'string[]', 'Addresses the page links to.'),
    ],
    short: false,
  },
];
