import { writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parseConfig } from '../../../infra/config/config';
import { VARIABLES } from '../../../infra/config/variables';
import { createEgress } from '../../../infra/egress/egress';
import { ownServicesOf } from '../../../infra/egress/own-services';
import { egressSettings } from '../../../infra/egress/settings';
import { newFolder } from '../../support/run-folder';
import { startRawServer } from '../../support/raw-server';

const PLACES = {
  DATABASE_URL: 'postgres://af_login:p@db.internal/agent_factory',
  AF_MIGRATE_DATABASE_URL: 'postgres://postgres:p@db-admin.internal:5433/agent_factory',
  TEMPORAL_ADDRESS: 'temporal.internal:7233',
  AF_TEMPORAL_UI_URL: 'http://temporal-ui.internal:8080',
  AF_HOST: '10.1.1.1',
  AF_PORT: '3000',
  AF_URL: 'https://af.example.org',
  AF_ALLOWED_HOSTS: 'af.example.org:8443',
  AF_EGRESS_DENY: 'qdrant.internal:6333,neo4j.internal:7687,gone.internal:9999',
};
const NAMES: Record<string, string[]> = {
  'db.internal': ['10.2.2.2', 'fd00::2'],
  'alias-of-db.example.org': ['10.2.2.2'],
  'db-admin.internal': ['10.2.2.3'],
  'temporal.internal': ['10.4.4.4'],
  'temporal-ui.internal': ['10.4.4.5'],
  'neo4j.internal': ['10.3.3.4'],
  'qdrant.internal': ['10.3.3.3'],
  'af.example.org': ['93.184.216.34'],
  'intranet.example.org': ['10.9.9.9'],
};
const ENDPOINTS = {
  api: { url: 'http://127.0.0.1:3001', pid: 1 },
  worker: { pid: 2 },
  temporal: { address: '127.0.0.1:7234', pid: 3 },
  temporalUi: { url: 'http://127.0.0.1:8234' },
  database: { url: 'postgres://postgres@127.0.0.1:5434/postgres', pid: 4, data_dir: '/data' },
};
const resolve = (host: string): Promise<string[]> => {
  const found = NAMES[host];
  return found === undefined ? Promise.reject(new Error(`${host} is not known`)) : Promise.resolve(found);
};

describe('our own servers', () => {
  it.each([
    'db.internal:5432',
    'DB.internal.:5432',
    'alias-of-db.example.org:5432',
    '10.2.2.2:5432',
    '0xa020202:5432',
    '012.2.2.2:5432',
    '[::ffff:10.2.2.2]:5432',
    '[fd00::2]:5432',
    'db-admin.internal:5433',
    'temporal.internal:7233',
    'temporal-ui.internal:8080',
    '10.1.1.1:3000',
    'af.example.org:443',
    '93.184.216.34:443',
    'af.example.org:8443',
    'qdrant.internal:6333',
    '10.3.3.3:6333',
    'neo4j.internal:7687',
    // Port of a server of ours whose place is unknown: it is refused at every inside address.
    'intranet.example.org:9999',
    '10.9.9.9:9999',
  ])('%s is refused even when it is allowed', async (place) => {
    const egress = createEgress({
      ...egressSettings(parseConfig({ ...PLACES, AF_HOME: newFolder('home'), AF_EGRESS_ALLOW: place })),
      resolve,
    });
    const denied = { code: 'egress_denied', message: expect.stringContaining('belongs to the platform itself') };
    const url = new URL(`http://${place}/`);
    await expect(egress.fetch({ method: 'GET', url: url.href, timeoutMs: 5_000 })).rejects.toMatchObject(denied);
    const host = place.slice(0, place.lastIndexOf(':')).replace(/^\[|\]$/g, '');
    const port = Number(place.slice(place.lastIndexOf(':') + 1));
    await expect(egress.socket({ host, port, timeoutMs: 5_000 })).rejects.toMatchObject(denied);
    await egress.close();
  });

  it('one of this machine is met at every address of this machine', async () => {
    const server = await startRawServer(() => undefined, '0.0.0.0');
    const mine = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    const addresses = ['127.0.0.1', '127.0.0.2', '::1', ...mine.map((entry) => entry.address.replace(/%.*/, ''))];
    const egress = createEgress({
      allow: addresses.map((host) => ({ host, port: server.port })),
      own: {
        ...ownServicesOf(parseConfig({ AF_HOME: newFolder('home') })),
        listed: [{ host: 'localhost', port: server.port }],
      },
      resolve: () => Promise.resolve(['127.0.0.1']),
    });
    for (const host of addresses) {
      await expect(egress.socket({ host, port: server.port, timeoutMs: 5_000 })).rejects.toMatchObject({
        code: 'egress_denied',
      });
    }
    expect(server.opened()).toBe(0);
    await Promise.all([egress.close(), server.close()]);
  });

  it.each([
    ['an address of this machine that anyone may ask', '93.184.216.34', '93.184.216.34'],
    ['a name of this machine', 'machine.example.org', '93.184.216.34'],
    ['a name of the API, behind an address that this machine does not have', 'af.example.org', '198.41.0.4'],
    ['another name for that address', 'alias.example.org', '198.41.0.4'],
  ])('on a port that is known once it runs is refused by %s', async (_what, host, address) => {
    const home = newFolder('home');
    writeFileSync(path.join(home, 'endpoints.json'), JSON.stringify(ENDPOINTS));
    const own = ownServicesOf(parseConfig({ AF_HOME: home, AF_URL: 'https://af.example.org' }));
    const egress = createEgress({
      allow: [3001, 7234, 8234, 5434].map((port) => ({ host, port })),
      own: { ...own, machine: () => ['93.184.216.34'] },
      resolve: (name) => Promise.resolve([name === 'af.example.org' ? '198.41.0.4' : address]),
    });
    for (const port of [3001, 7234, 8234, 5434]) {
      await expect(egress.socket({ host, port, timeoutMs: 5_000 })).rejects.toMatchObject({
        code: 'egress_denied',
        message: expect.stringContaining('belongs to the platform itself'),
      });
    }
    await egress.close();
  });

  it('what the embedded profile runs is read when it is asked for: its ports are known once it has started', () => {
    const home = newFolder('home');
    const own = ownServicesOf(parseConfig({ AF_HOME: home }));
    expect(own.running()).toEqual([]);
    writeFileSync(path.join(home, 'endpoints.json'), JSON.stringify(ENDPOINTS));
    expect(own.running()).toEqual(
      expect.arrayContaining([3001, 7234, 8234, 5434].map((port) => ({ host: '127.0.0.1', port }))),
    );
  });

  it('a database behind a socket file, or named by a parameter, is found as well', () => {
    const listed = (url: string) => ownServicesOf(parseConfig({ DATABASE_URL: url })).listed;
    expect(listed('postgres:///af?host=/run/postgresql&port=5435')).toContainEqual({ host: 'localhost', port: 5435 });
    expect(listed('postgres://u@x:1/af?host=db.internal&port=5436')).toContainEqual({
      host: 'db.internal',
      port: 5436,
    });
  });

  it('every setting that names a place is known to be ours, or not ours', () => {
    const ours = Object.keys(PLACES);
    const notOurs = ['AF_EGRESS_ALLOW', 'AF_ROBOTS_OVERRIDE', 'EGRESS_PROXY', 'OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL'];
    const places = Object.values(VARIABLES)
      .filter(({ expected }) => /URL|host|:\/\//.test(expected))
      .map(({ name }) => name);
    expect(places.filter((name) => ![...ours, ...notOurs].includes(name))).toEqual([]);
    expect(places).toEqual(expect.arrayContaining(notOurs));
  });
});
