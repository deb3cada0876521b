import { expect } from '@jest/globals';
import { repr } from '../python-text';
import { expectFault } from '../fault';
import { each, type Check, type Checks } from '../row';
import { list, one, rows } from '../results';

/** Recorded without the envelope of an answer: no interface sends it so, and ours says so. */
const withoutEnvelope: Check = async ({ path, said, world }) => {
  await expectFault(world.graphql(path), { code: 'bad_response' });
  said.take(/^\.user\.repositories:/);
  const fields = { total: 'totalCount', more: 'pageInfo.hasNextPage', edges: 'edges' };
  const found = one(await world.api(path, { results_path: 'user.repositories', fields }));
  said.same(
    /totalCount (\d+), (\d+) edges, hasNextPage (\w+)/,
    found['total'],
    list(found['edges']).length,
    found['more'],
  );
};

const answer: Check = async ({ path, said, world }) => {
  const data = one(await world.graphql(path));
  said.take(/top-level \['data'\]/);
  said.same(/data keys (\[.*\])/, repr(Object.keys(data)));
};

const search: Check = async ({ path, said, world }) => {
  const fields = { count: 'repositoryCount', more: 'pageInfo.hasNextPage', cursor: 'pageInfo.endCursor' };
  const about = one(await world.graphql(path, { results_path: 'data.search', fields }));
  const nodes = rows(await world.graphql(path, { results_path: 'data.search.edges', fields: { name: 'node.name' } }));
  said.same(/repositoryCount (\d+), (\d+) edges, first (\S+),/, about['count'], nodes.length, nodes[0]?.['name']);
  said.same(/pageInfo\.hasNextPage (\w+), endCursor (\S+)$/, about['more'], about['cursor']);
  expect(nodes.every((node) => typeof node['name'] === 'string')).toBe(true);
};

export const githubGraphql: Checks = {
  'getRepositoriesMockedData.json': withoutEnvelope,
  ...each(answer, 'ghcli_prList.json', 'ghcli_repoSearch.json', 'ghcli_search.json'),
  'search_repositories_dev.json': search,
};
