import { constructed, grown, recorded, type Row, rowsIn, within } from './material';
import { json, type Source, type SourceAnswer, SOURCE_KEY, type SourceRequest, tooMany } from './source';

/** Pages of a GraphQL connection: `first` and `after` decide, whatever the recorded page held. */
function page(connection: Row, total: number, { body }: SourceRequest): Row {
  const { first, after } = body['variables'] as { first?: number; after?: string | null };
  const key = 'nodes' in connection ? 'nodes' : 'edges';
  const counter = 'repositoryCount' in connection ? 'repositoryCount' : 'totalCount';
  const all = grown(rowsIn(connection, key), total, (at) => ({ number: at, node: { name: `constructed-${at}` } }));
  // The stand-in's cursor is the index of the last row of the page; clients do not read it.
  const from = typeof after === 'string' ? Number(after.slice(1)) : 0;
  const end = from + (first ?? 50);
  const more = end < all.length;
  return {
    ...connection,
    [counter]: all.length,
    [key]: all.slice(from, end),
    pageInfo: { hasNextPage: more, endCursor: more ? `c${end}` : null },
  };
}

function data(request: SourceRequest): Row {
  const query = String(request.body['query']);
  if (query.includes('SearchRepos')) {
    const found = within(recorded('github-graphql/search_repositories_dev.json'), 'data', 'search');
    return { search: page(found, 156, request) };
  }
  if (query.includes('UserRepos')) {
    const found = within(recorded('github-graphql/getRepositoriesMockedData.json'), 'user', 'repositories');
    return { user: { repositories: page(found, 688, request) } };
  }
  if (query.includes('PullRequests')) {
    const found = within(recorded('github-graphql/ghcli_prList.json'), 'data', 'repository', 'pullRequests');
    return { repository: { pullRequests: page(found, 3, request) } };
  }
  const found = within(constructed('github/org_members.json'), 'organization', 'membersWithRole');
  return { organization: { membersWithRole: page(found, 3, request) } };
}

function answer(request: SourceRequest): SourceAnswer {
  const variables = request.body['variables'] as Row;
  // GitHub reports a missing object with status 200.
  if (variables['login'] === 'nobody') {
    const message = "Could not resolve to a User with the login of 'nobody'.";
    return json({ data: { user: null }, errors: [{ type: 'NOT_FOUND', path: ['user'], message }] });
  }
  return json({ data: data(request) });
}

/** GitHub's GraphQL interface. */
export const GITHUB: Source = {
  hosts: ['api.github.com'],
  admits: ({ headers }) =>
    headers.authorization === `Bearer ${SOURCE_KEY}`
      ? undefined
      : json({ message: 'Bad credentials', status: '401' }, 401),
  limited: (retryAfter) => tooMany(json({ message: 'You have exceeded a secondary rate limit.' }), retryAfter),
  missing: () => json({ message: 'Not Found', status: '404' }, 404),
  routes: [{ method: 'POST', at: 'api.github.com/graphql', answer }],
};
