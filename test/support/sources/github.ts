import { constructed, grown, recorded, type Row } from './material';
import { json, type Source, type SourceAnswer, SOURCE_KEY, type SourceRequest, tooMany } from './source';

interface Connection {
  edges?: Row[];
  nodes?: Row[];
  totalCount?: number;
  repositoryCount?: number;
}

/** Pages of a GraphQL connection: `first` and `after` count, whatever the recorded page held. */
function page(connection: Connection, total: number, { body }: SourceRequest): Connection {
  const { first, after } = body['variables'] as { first?: number; after?: string };
  const key = connection.nodes === undefined ? 'edges' : 'nodes';
  const all = grown(connection[key] ?? [], total, (at) => ({ cursor: `c${at}`, node: { name: `constructed-${at}` }, number: at }));
  const from = after === undefined || after === null ? 0 : Number(after.slice(1));
  const end = from + (first ?? 50);
  return {
    ...connection,
    ...(connection.repositoryCount === undefined ? { totalCount: all.length } : { repositoryCount: all.length }),
    [key]: all.slice(from, end),
    pageInfo: { hasNextPage: end < all.length, endCursor: end < all.length ? `c${end}` : null },
  } as Connection;
}

function data(request: SourceRequest): unknown {
  const query = String(request.body['query']);
  if (query.includes('SearchRepos')) {
    const { data: found } = recorded<{ data: { search: Connection } }>('github-graphql/search_repositories_dev.json');
    return { search: page(found.search, 156, request) };
  }
  if (query.includes('UserRepos')) {
    const { user } = recorded<{ user: { repositories: Connection } }>('github-graphql/getRepositoriesMockedData.json');
    return { user: { repositories: page(user.repositories, 688, request) } };
  }
  if (query.includes('PullRequests')) {
    const { data: found } = recorded<{ data: { repository: { pullRequests: Connection } } }>('github-graphql/ghcli_prList.json');
    return { repository: { pullRequests: page(found.repository.pullRequests, 3, request) } };
  }
  const { organization } = constructed<{ organization: { membersWithRole: Connection } }>('github/org_members.json');
  return { organization: { membersWithRole: page(organization.membersWithRole, 3, request) } };
}

function answer(request: SourceRequest): SourceAnswer {
  const variables = request.body['variables'] as Row;
  // GitHub tells of what it does not find with a 200.
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
    headers.authorization === `Bearer ${SOURCE_KEY}` ? undefined : json({ message: 'Bad credentials', status: '401' }, 401),
  limited: (retryAfter) => tooMany(json({ message: 'You have exceeded a secondary rate limit.' }), retryAfter),
  missing: () => json({ message: 'Not Found', status: '404' }, 404),
  routes: [{ method: 'POST', at: 'api.github.com/graphql', answer }],
};
