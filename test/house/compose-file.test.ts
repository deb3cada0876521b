import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { configVariables } from '../../infra/config/config';
import { TOUCH_MS } from '../../worker/alive-file';
import { runSql, startPostgres } from '../support/postgres';

interface Service {
  image?: string;
  build?: string;
  command?: string[];
  environment?: Record<string, string>;
  healthcheck?: object;
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  profiles?: string[];
  restart?: string;
  stop_grace_period?: string;
  volumes?: string[];
  logging?: { driver: string; options: Record<string, string> };
}

const ROOT = path.resolve(__dirname, '../..');
const text = readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8');
const embedded = readFileSync(path.join(ROOT, 'docs/embedded.md'), 'utf8');
const compose = parse(text, { merge: true }) as {
  services: Record<string, Service>;
};
const services = Object.entries(compose.services);

/** Settings that the services of the file settle, and those of the command line and the embedded profile. */
const SETTLED = new Set([
  'AF_HOME',
  'AF_HOST',
  'AF_PORT',
  'DATABASE_URL',
  'AF_MIGRATE_DATABASE_URL',
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'AF_MASTER_KEYS',
  'AF_IMPORT_DIRS',
  'AF_SIGNAL_APPROVALS',
  'AF_ALIVE_FILE',
  // Containers of their own share no folder.
  'AF_START_SOCKET',
  // Bound to stop_grace_period.
  'AF_SHUTDOWN_GRACE',
  // Variables instead of AF_MASTER_KEYS, which the file asks for.
  'AF_MASTER_KEYS_FILE',
  'AF_URL',
  'AF_API_KEY',
  'AF_CACHE_DIR',
  'TEMPORAL_CLI_PATH',
  'AF_SUPERVISE',
]);
const OWN_DEFAULTS = {
  AF_ALLOWED_HOSTS: '${AF_ALLOWED_HOSTS:-127.0.0.1:${AF_PORT:-3000},localhost:${AF_PORT:-3000}}',
  AF_TEMPORAL_UI_URL: '${AF_TEMPORAL_UI_URL:-http://127.0.0.1:${TEMPORAL_UI_PORT:-8080}}',
  AF_EGRESS_DENY: 'api:3000,qdrant:6333,qdrant:6334,neo4j:7474,neo4j:7687,temporal-ui:8080,${AF_EGRESS_DENY:-}',
};
const API_ALONE = ['AF_MIGRATE_DATABASE_URL', 'AF_HOST', 'AF_PORT'];

describe('the compose file of the full profile', () => {
  it.each(['api', 'worker'])('sets only variables that the configuration knows: %s', (name) => {
    const known = configVariables.map((variable) => variable.name);
    const set = Object.keys(compose.services[name]?.environment ?? {});
    expect(set).toEqual(expect.arrayContaining(['DATABASE_URL', 'TEMPORAL_ADDRESS']));
    expect(set.filter((variable) => !known.includes(variable))).toEqual([]);
  });

  it.each(['api', 'worker'])('takes every documented setting from the environment, with its default: %s', (name) => {
    const environment = compose.services[name]?.environment ?? {};
    const page = readFileSync(path.join(ROOT, 'docs/configuration.md'), 'utf8');
    const documented = [...page.matchAll(/^\| `(\w+)` \|.* \| (?:not set|empty|`(.*)`) \|$/gm)];
    expect(documented.map(([, variable]) => variable)).toEqual(configVariables.map(({ name: variable }) => variable));
    const open = documented.filter(([, variable = '']) => !SETTLED.has(variable) && !(variable in OWN_DEFAULTS));
    expect(open.map(([, variable = '']) => `${variable}: ${environment[variable] ?? 'not passed on'}`)).toEqual(
      open.map(([, variable = '', value = '']) => `${variable}: \${${variable}:-${value}}`),
    );
    for (const [variable, value] of Object.entries(OWN_DEFAULTS)) expect(environment[variable]).toBe(value);
  });

  it('passes every name that an operator sets on to both, and none that docs do not know', () => {
    const used = new Set([...text.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name = '']) => name));
    const docs = ['configuration', 'operations', 'embedded']
      .map((page) => readFileSync(path.join(ROOT, `docs/${page}.md`), 'utf8'))
      .join('');
    const head = text.slice(0, text.indexOf('\nname:'));
    expect([...used].filter((name) => !`${docs}${head}`.includes(name))).toEqual([]);
    expect(compose.services.worker?.environment).toEqual({
      ...shared(compose.services.api?.environment),
      AF_ALIVE_FILE: expect.any(String),
    });
  });

  it.each(['api', 'worker'])('lets no signal decide: more than one person uses it: %s', (name) => {
    expect(compose.services[name]?.environment?.['AF_SIGNAL_APPROVALS']).toBe('off');
  });

  it('runs what the build makes', () => {
    expect(compose.services.api?.command?.at(-1)).toBe('dist/src/main.js');
    expect(compose.services.worker?.command?.at(-1)).toBe('dist/worker/main.js');
  });

  it('lists every store, pinned, and checks the health of what stays up', () => {
    for (const name of ['postgres', 'temporal', 'qdrant', 'neo4j', 'api', 'worker']) {
      expect(compose.services[name]?.healthcheck).toBeDefined();
    }
    for (const [, { image }] of services) if (image !== undefined) expect(image).toMatch(/:v?\d+\.\d+/);
    expect(compose.services.temporal?.image).toMatch(/:1\.32\./);
  });

  it('publishes ports on this machine only', () => {
    const ports = services.flatMap(([, service]) => service.ports ?? []);
    expect(ports.length).toBeGreaterThan(0);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  it('is started in docs/embedded.md with every variable that it requires', () => {
    const required = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name));
    expect(required).toContain('AF_MASTER_KEYS');
    const [, chapter = ''] = embedded.split('\n## The full profile\n');
    const [, commands = ''] = chapter.split('```');
    expect(commands).toContain('docker compose up');
    const given = new Set([...commands.matchAll(/(\w+)=/g)].map(([, name]) => name));
    expect(given).toEqual(required);
  });

  it('waits only for services that exist', () => {
    const waited = services.flatMap(([, service]) => Object.keys(service.depends_on ?? {}));
    expect(waited.filter((name) => compose.services[name] === undefined)).toEqual([]);
  });

  it('has no fixed port on this machine, and answers under the one that is chosen', () => {
    const ports = services.flatMap(([, service]) => service.ports ?? []);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\$\{\w+:-\d+\}:\d+$/);
    expect(compose.services.api?.environment?.['AF_ALLOWED_HOSTS']).toContain('127.0.0.1:${AF_PORT:-3000}');
  });

  it('looks at the file that the worker touches', () => {
    const { environment, healthcheck } = compose.services.worker ?? {};
    const file = environment?.['AF_ALIVE_FILE'] ?? '';
    expect(JSON.stringify(healthcheck)).toContain(file);
    const wait = Number(/-mmin -([\d.]+)/.exec(JSON.stringify(healthcheck))?.[1]) * 60_000;
    expect(wait).toBeGreaterThan(3 * TOUCH_MS);
  });

  it('stops nothing by force that is still putting its work in order', () => {
    const grace = configVariables.find(({ name }) => name === 'AF_SHUTDOWN_GRACE');
    for (const name of ['api', 'worker']) {
      const { environment, stop_grace_period: given } = compose.services[name] ?? {};
      const own = Number(environment?.['AF_SHUTDOWN_GRACE'] ?? grace?.default);
      expect(own).toBeGreaterThan(0);
      expect([name, secondsOf(given)]).toEqual([name, expect.any(Number)]);
      expect(secondsOf(given)).toBeGreaterThanOrEqual(own + 10);
    }
    // Docker's own 10 s are for nothing that keeps data.
    const kept = services.filter(([, { volumes = [], restart }]) => restart !== undefined && volumes.length > 0);
    expect(kept.map(([name]) => name)).toEqual(['api', 'worker', 'postgres', 'qdrant', 'neo4j']);
    for (const [name, { stop_grace_period: given }] of [
      ...kept,
      ['temporal', compose.services.temporal ?? {}] as const,
    ])
      expect([name, secondsOf(given) > 10]).toEqual([name, true]);
  });

  it('turns the logs of all that stays up, and mounts what file connectors may read', () => {
    for (const [name, service] of services.filter(([, { restart }]) => restart !== undefined)) {
      expect({ name, logging: service.logging }).toEqual({
        name,
        logging: { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } },
      });
    }
    for (const name of ['api', 'worker']) {
      const { environment, volumes } = compose.services[name] ?? {};
      expect(volumes).toContainEqual(expect.stringMatching(`:${environment?.['AF_IMPORT_DIRS'] ?? 'none'}:ro$`));
    }
  });

  it('starts the stores that nothing uses only where somebody asks', () => {
    const optional = services.filter(([, { profiles }]) => profiles !== undefined).map(([name]) => name);
    expect(optional).toEqual(['qdrant', 'neo4j']);
    for (const [, { depends_on: needs = {} }] of services) {
      expect(Object.keys(needs).filter((name) => optional.includes(name))).toEqual([]);
    }
  });

  it('lets Temporal Web call the codec endpoint of the API as whoever is signed in', () => {
    const { environment } = compose.services['temporal-ui'] ?? {};
    expect(environment?.['TEMPORAL_CODEC_ENDPOINT']).toBe(
      '${TEMPORAL_CODEC_ENDPOINT:-http://127.0.0.1:${AF_PORT:-3000}/api/agent-factory/codec}',
    );
    expect(environment?.['TEMPORAL_CODEC_INCLUDE_CREDENTIALS']).toBe('true');
    const port = '${TEMPORAL_UI_PORT:-8080}';
    expect(compose.services['temporal-ui']?.ports).toEqual([`127.0.0.1:${port}:8080`]);
  });

  it('gives the superuser of PostgreSQL to nobody but the API’s migrations and the service that makes roles', () => {
    const holders = services.filter(([, each]) => JSON.stringify(each).includes('${POSTGRES_PASSWORD'));
    expect(holders.map(([name]) => name)).toEqual(['api', 'postgres', 'temporal-role']);
    expect(compose.services.temporal?.environment?.['POSTGRES_USER']).toBe('temporal');
  });

  const psql = spawnSync('psql', ['--version']).status === 0;
  (psql ? it : it.skip)('makes a role for Temporal that owns its databases and nothing else (needs psql)', async () => {
    const server = await startPostgres();
    const { port, password } = new URL(server.url);
    // Database as an earlier version left it: made by the superuser.
    await runSql(server.url, 'create database temporal');
    await runSql(databaseOf(server.url, 'temporal'), 'create table executions (id int)');
    const script = (compose.services['temporal-role']?.command?.[0] ?? '').replaceAll('$$', '$');
    const env = { PATH: process.env.PATH, PGHOST: '127.0.0.1', PGPORT: port, PGUSER: 'postgres', PGPASSWORD: password };
    for (const secret of ["first'", 'second']) {
      const done = spawnSync('bash', ['--norc', '-ec', script], {
        env: { ...env, TEMPORAL_DB_PASSWORD: secret },
        encoding: 'utf8',
      });
      expect([done.status, done.stderr]).toEqual([0, '']);
    }
    const as = (database: string): string => {
      const url = new URL(databaseOf(server.url, database));
      [url.username, url.password] = ['temporal', 'second'];
      return url.href;
    };
    await runSql(as('temporal'), 'alter table executions add column more int; create table shards (id int)');
    await runSql(as('temporal_visibility'), 'create table visibility (id int)');
    await expect(runSql(as('temporal'), 'create role other')).rejects.toThrow(/permission denied/);
    await expect(runSql(as('temporal'), 'create database other')).rejects.toThrow(/permission denied/);
    await server.stop('immediate');
  });
});

function shared(environment: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !API_ALONE.includes(name)));
}

function secondsOf(text = ''): number {
  const [, amount, unit] = /^(\d+)(s|m)$/.exec(text) ?? [];
  return Number(amount) * (unit === 'm' ? 60 : 1);
}

function databaseOf(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}
