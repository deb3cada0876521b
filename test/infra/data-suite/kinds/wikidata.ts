import { expect } from '@jest/globals';
import type { JsonObject } from '../../../../core/base/json';
import { repr } from '../python-text';
import { each, type Check, type Checks } from '../row';
import { list, one, rows } from '../results';

const sparql: Check = async ({ path, said, world }) => {
  const variables = one(await world.api(path, { fields: { vars: 'head.vars' } }))['vars'] as string[];
  const bindings = rows(await world.api(path, { results_path: 'results.bindings' }));
  said.same(/(\d+) variables (\[.*?\])/, variables.length, repr(variables));
  const unbound = bindings.flatMap((binding) => variables.filter((name) => !Object.hasOwn(binding, name)));
  said.same(/(\d+) bindings, (\d+) unbound cells/, bindings.length, unbound.length);
  // Records of a mapping: null where a cell is unbound, and counted.
  const fields = Object.fromEntries(variables.map((name) => [name, `${name}.value`]));
  const mapped = await world.api(path, { results_path: 'results.bindings', fields });
  const missing = Object.values((mapped['missing'] ?? {}) as Record<string, number>);
  expect(missing.reduce((total, count) => total + count, 0)).toBe(unbound.length);
  expect(
    rows(mapped)
      .flatMap((record) => Object.values(record))
      .filter((value) => value === null),
  ).toHaveLength(unbound.length);
};

const entity: Check = async ({ path, said, world }) => {
  const [id = ''] = said.take(/^(Q\d+)/);
  const found = one(
    await world.api(path, {
      results_path: `entities.${id}`,
      fields: { label: 'labels.en.value', claims: 'claims', aliases: 'aliases' },
    }),
  );
  const claims = found['claims'] as JsonObject;
  const aliases = Object.values((found['aliases'] ?? {}) as JsonObject).flatMap(list);
  const all = Object.values(claims).flatMap(list);
  said.same(/label en (.*?), (?=\d+ claims)/, found['label']);
  said.same(/(\d+) claims over (\d+) properties/, all.length, Object.keys(claims).length);
  said.same(/(\d+) aliases/, aliases.length);
};

export const wikidata: Checks = {
  ...each(
    sparql,
    'brazil-position-data.srj',
    'executive-index.srj',
    'missing_position_legislative-index.srj',
    'multi_vars_sparql_results.json',
    'results_with_labels_descriptions_and_aliases.json',
  ),
  ...each(
    entity,
    'entity_Q103940464.json',
    'entity_Q10541491.json',
    'entity_Q126923790.json',
    'entity_Q130234762.json',
    'entity_Q151885.json',
    'entity_Q159344.json',
    'entity_Q16521.json',
    'entity_Q171283.json',
    'entity_Q19300851.json',
    'entity_Q19364345.json',
    'entity_Q1969448.json',
    'entity_Q21146257.json',
  ),
};
