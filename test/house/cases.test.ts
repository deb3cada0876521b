import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { listContracts } from '../../core/actions/registry';
import { DATA_DIR } from '../support/data';

/** A test of a fault or attack of the catalogue: its file, and text of its title there. */
type Test = { file: string; title: string };
/** Reason why a case, or the rest of it, waits. */
type Later = { later: string };
type Entry = (Test | Later)[] | Later;

/** A capability has come as soon as a route, an action or a file of it is there; then its cases must be tested. */
interface Capability {
  route?: RegExp;
  actions?: string[];
  /** Files from the root of the repository, without an ending. */
  files?: string[];
}
const CAPABILITIES: Record<string, Capability> = {
  'agent chat': { route: /\/(chat|conversations)\b/ },
  connections: { route: /\/(connections|oauth)\b/ },
  'database connectors': { files: ['connectors/kinds/database'] },
  'filters by pattern': { route: /\/(chat|strateg|monitors)/ },
  'knowledge graph': { route: /\/graph-memory\b/, actions: ['search_knowledge_graph', 'analyze_graph'] },
  'load suites': { files: ['bench/load', 'test/load'] },
  mcp: { route: /\/mcp\b/ },
  monitors: { route: /\/monitors\b/, actions: ['detect_new_data', 'detect_new_files'] },
  plugins: { route: /\/plugins\/\{[^}]+\}\/(enable|disable)/ },
  resilience: { route: /\/connectors\/\{[^}]+\}\/health/ },
  'restored databases': { route: /\/orphans\b/ },
  schedules: { route: /\/schedules\b/ },
  'vector search': { route: /\/memory\b/, actions: ['search_documents', 'find_file_by_vectors'] },
  web: { route: /^\/app\b/, files: ['web/index'] },
  webhooks: { route: /\/(webhooks|hooks)\b/ },
};

const ROOT = path.resolve(__dirname, '../..');
const CATALOGUE = path.resolve(DATA_DIR, '../cases.md');
const json = (file: string): unknown => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));

const entries = Object.entries(json('test/cases.json') as Record<string, Entry>);
const parts = entries.flatMap(([id, entry]) => (Array.isArray(entry) ? entry : [entry]).map((part) => ({ id, part })));
const tested = parts.flatMap(({ id, part }) => ('file' in part ? [[id, part.file, part.title] as const] : []));
const waiting = parts.flatMap(({ id, part }) => ('later' in part ? [[id, part.later] as const] : []));
const routes = Object.keys((json('openapi.json') as { paths: object }).paths);

/** Signs of a capability that exist. */
function signsOf({ route, actions = [], files = [] }: Capability): string[] {
  const contracts = listContracts().filter(({ name, available }) => available && actions.includes(name));
  const endings = ['', '.ts', '.main.ts', '.html'];
  return [
    ...routes.filter((each) => route?.test(each)),
    ...contracts.map(({ name }) => name),
    ...files.filter((file) => endings.some((ending) => existsSync(path.join(ROOT, file + ending)))),
  ];
}

const withCatalogue = existsSync(CATALOGUE) ? it : it.skip;

describe('the catalogue of faults and attacks', () => {
  withCatalogue('has every case tested, or says what it waits for (needs the catalogue beside AF_TEST_DATA)', () => {
    const ids = [...readFileSync(CATALOGUE, 'utf8').matchAll(/^\| ([A-Z]\d\d[a-z]?)\b/gm)].map(([, id]) => id);
    expect(ids.length).toBeGreaterThan(100);
    expect(new Set(entries.map(([id]) => id))).toEqual(new Set(ids));
  });

  it('names a test for each, not an empty list', () => {
    expect(entries.filter(([, entry]) => Array.isArray(entry) && entry.length === 0)).toEqual([]);
  });

  it('knows by its signs when a capability has come', () => {
    const names = listContracts().map(({ name }) => name);
    const wanted = Object.values(CAPABILITIES).flatMap(({ actions = [] }) => actions);
    expect(wanted.filter((name) => !names.includes(name))).toEqual([]);
    expect(signsOf({ route: /\/runs$/, actions: ['transform_data'], files: ['openapi.json'] })).toHaveLength(3);
  });

  it.each(tested)('%s stands in %s: %s', (_id, file, title) => {
    expect(readFileSync(path.join(ROOT, file), 'utf8')).toContain(title);
  });

  it.each(waiting)('%s waits for %s, which is not there', (_id, name) => {
    const capability = CAPABILITIES[name];
    expect(capability).toBeDefined();
    expect(signsOf(capability ?? {})).toEqual([]);
  });
});
