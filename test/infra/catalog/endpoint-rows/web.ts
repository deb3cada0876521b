import type { Rows } from './row';

export const GITHUB: Rows = {
  search_repos: [
    {
      inputs: { query: 'ludwig' },
      count: 156,
      pages: 4,
      first: { name: 'ludwig', stars: 7224, forks: 867, language: 'Python', url: 'https://github.com/uber/ludwig' },
      // Recorded calls asked for less; made rows have a name only.
      missing: { full_name: 156, owner: 156, url: 151, description: 151, stars: 151, forks: 151, language: 151 },
      distinct: { name: 156 },
    },
  ],
  user_repos: [
    {
      inputs: { login: 'someone', first: 100 },
      count: 688,
      pages: 7,
      first: { name: 'remix', owner: 'remix-run', stars: 11998 },
      missing: { id: 638, owner: 638, stars: 638, watchers: 638, updated: 638 },
    },
  ],
  pull_requests: [
    {
      inputs: { owner: 'monalisa', name: 'hello', states: ['OPEN'] },
      count: 3,
      pages: 1,
      first: { number: 32, title: 'New feature', branch: 'feature', draft: true },
    },
  ],
  get_org_members: [
    {
      inputs: { org: 'example' },
      count: 3,
      pages: 1,
      first: { username: 'monalisa', role: 'ADMIN', company: '@example' },
    },
  ],
};

export const SEARXNG: Rows = {
  search: [
    {
      inputs: { q: 'examples' },
      count: 27,
      pages: 2,
      first: { title: 'Example page 0', url: 'https://www.example.org/page/0', engines: ['wikipedia', 'duckduckgo'] },
      asked: 'GET localhost:8080/search?q=examples&format=json&pageno=1',
    },
  ],
};
