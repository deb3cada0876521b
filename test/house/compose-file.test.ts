import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { configVariables } from '../../infra/config/config';

interface Service {
  image?: string;
  build?: string;
  command?: string[];
  environment?: Record<string, string>;
  healthcheck?: object;
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
}

const ROOT = path.resolve(__dirname, '../..');
const text = readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8');
const embedded = readFileSync(path.join(ROOT, 'docs/embedded.md'), 'utf8');
const compose = parse(text, { merge: true }) as {
  services: Record<string, Service>;
};
const services = Object.entries(compose.services);

describe('the compose file of the full profile', () => {
  it.each(['api', 'worker'])('sets only variables that the configuration knows: %s', (name) => {
    const known = configVariables.map((variable) => variable.name);
    const set = Object.keys(compose.services[name]?.environment ?? {});
    expect(set).toEqual(expect.arrayContaining(['DATABASE_URL', 'TEMPORAL_ADDRESS']));
    expect(set.filter((variable) => !known.includes(variable))).toEqual([]);
  });

  it.each(['api', 'worker'])('lets no signal decide: more than one person uses it: %s', (name) => {
    expect(compose.services[name]?.environment?.['AF_SIGNAL_APPROVALS']).toBe('off');
  });

  it('runs what the build makes', () => {
    expect(compose.services.api?.command?.at(-1)).toBe('dist/src/main.js');
    expect(compose.services.worker?.command?.at(-1)).toBe('dist/worker/main.js');
  });

  it('lists every store, pinned, and checks the health of what stays up', () => {
    for (const name of ['postgres', 'temporal', 'qdrant', 'neo4j', 'api']) {
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
});
