import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { endpointOutputs } from '../../../core/connector/outputs';
import type { ConnectorDefinition, RestConnector } from '../../../core/connector/types';
import { endpointFacts } from '../../../infra/catalog/template-facts';
import { cataloguePage } from './catalogue-page';
import { templates } from './templates';

const ALL = templates();
const PAGE = resolve(__dirname, '../../../docs/connectors-catalogue.md');

it('has the sources that agents of all kinds begin with', () => {
  expect([...ALL.keys()]).toEqual([
    'congress-gov',
    'courtlistener',
    'external-postgres',
    'fec-contributions',
    'federal-register-api',
    'federal-register',
    'github-repos',
    'irs-990-xml',
    'opencorporates',
    'opensecrets',
    'propublica-nonprofit',
    'searxng',
    'sec-edgar',
    'state-warn-notices',
    'usaspending',
    'wikidata',
  ]);
});

describe.each([...ALL])('%s', (_id, { source, definition, problems }) => {
  it('has no problem, not even a warning', () => {
    expect(problems).toEqual([]);
  });

  it('names for each endpoint what it was tested with and the page of its parameters', () => {
    for (const { endpoint, docs, tested, description } of endpointFacts(source, definition)) {
      expect([endpoint, tested]).toEqual([endpoint, expect.stringMatching(/^(recorded|constructed|live-only)$/)]);
      expect([endpoint, docs]).toEqual([endpoint, expect.stringMatching(/^https:\/\//)]);
      expect([endpoint, description.length > 0]).toEqual([endpoint, true]);
    }
  });

  it('extracts entities only from fields that it gives', () => {
    for (const [name, endpoint] of Object.entries(definition.endpoints)) {
      const records = endpointOutputs(definition, name).find((output) => output.name === 'results');
      const known = (records?.fields ?? []).map((field) => field.name);
      const rules = endpoint.response_mapping?.entity_extraction ?? [];
      expect([name, rules.map((rule) => rule.field).filter((field) => !known.includes(field))]).toEqual([name, []]);
    }
  });

  it('changes nothing outside, holds no secret, and reaches the world by https', () => {
    const { connection, endpoints } = definition as RestConnector;
    for (const endpoint of Object.values(endpoints)) expect(endpoint.effect ?? 'none').toBe('none');
    for (const address of addressesOf(definition)) {
      expect(address).toMatch(definition.id === 'searxng' ? /^http:\/\/localhost:/ : /^https:\/\//);
    }
    expect(JSON.stringify(connection)).not.toMatch(/env_var/);
  });
});

it('says that OpenSecrets has ended', () => {
  expect(ALL.get('opensecrets')?.definition.retired).toMatch(/15 April 2025/);
  expect([...ALL.values()].filter(({ definition }) => definition.retired !== undefined)).toHaveLength(1);
});

it('asks who calls where a source wants to know, and lets nobody pass without an answer', () => {
  for (const id of ['sec-edgar', 'wikidata']) {
    for (const endpoint of Object.values((ALL.get(id)?.definition as RestConnector).endpoints)) {
      const agent = endpoint.parameters.find((parameter) => parameter.name === 'User-Agent');
      expect(agent).toMatchObject({ in: 'header', required: true });
      expect(agent).not.toHaveProperty('default');
    }
  }
});

it('docs/connectors-catalogue.md is what the templates say', () => {
  const text = cataloguePage();
  if (process.env['AF_WRITE_DOCS'] === '1') writeFileSync(PAGE, text);
  expect(readFileSync(PAGE, 'utf8')).toBe(text);
});

function addressesOf(definition: ConnectorDefinition): string[] {
  const text = JSON.stringify([definition.connection, Object.values(definition.endpoints).map((each) => ('base_url' in each ? each.base_url : ''))]);
  return [...text.matchAll(/"(?:base_url":"|url":"|)(https?:[^"]+)"/g)].map((match) => match[1] ?? '');
}
