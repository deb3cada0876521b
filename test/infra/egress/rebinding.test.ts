import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testEgress } from '../../support/egress';
import type { Egress } from '../../../infra/egress/egress';
import { startHttpSource } from '../../support/http-source';
import type { HttpSource } from '../../support/http-source';

/** Two addresses of this machine at one port: the first is allowed, the second is the decoy inside. */
const GOOD = '127.0.0.1';
const DECOY = '127.0.0.2';
let source: HttpSource;
let decoyed: string[] = [];

beforeAll(async () => {
  source = await startHttpSource((request, response) => {
    if (request.url === '/again') {
      response.writeHead(302, { location: '/next', connection: 'close' }).end();
    } else {
      response.writeHead(200, request.url === '/stay' ? {} : { connection: 'close' }).end(request.headers.host);
    }
  }, '0.0.0.0');
  source.onConnection((socket) => {
    if (socket.localAddress !== GOOD) decoyed.push(socket.localAddress ?? '');
  });
});
afterAll(() => source.close());

/** Gives one answer after the other, the last one for ever. */
function rebinding(...answers: string[][]): Egress {
  let asked = 0;
  decoyed = [];
  return testEgress({
    allow: [{ host: GOOD, port: source.port }],
    resolve: () => Promise.resolve(answers[Math.min(asked++, answers.length - 1)] ?? []),
  });
}

const get = (path: string) => ({
  method: 'GET',
  url: `http://api.example.org:${source.port}${path}`,
  timeoutMs: 5_000,
});

describe('a name whose address changes', () => {
  it('at the connection: what was checked is what is opened', async () => {
    const egress = rebinding([GOOD], [DECOY]);
    await expect(egress.fetch(get('/'))).resolves.toMatchObject({ status: 200 });
    expect(decoyed).toEqual([]);
    await egress.close();
  });

  it('at the first look-up, alone or beside a good address', async () => {
    for (const answer of [[DECOY], [GOOD, DECOY], [DECOY, GOOD]]) {
      const egress = rebinding(answer);
      await expect(egress.fetch(get('/'))).rejects.toMatchObject({ code: 'egress_denied' });
      await egress.close();
    }
    expect(decoyed).toEqual([]);
  });

  it('at the redirect: every hop is looked up and checked anew', async () => {
    const egress = rebinding([GOOD], [DECOY]);
    await expect(egress.fetch(get('/again'))).rejects.toMatchObject({ code: 'egress_denied' });
    expect(decoyed).toEqual([]);
    await egress.close();
  });

  it('at the reconnection: a closed connection is not opened again on trust', async () => {
    const egress = rebinding([GOOD], [DECOY]);
    await expect(egress.fetch(get('/'))).resolves.toMatchObject({ status: 200 });
    await expect(egress.fetch(get('/'))).rejects.toMatchObject({ code: 'egress_denied' });
    expect(decoyed).toEqual([]);
    await egress.close();
  });

  it('while a connection is kept: it still leads to the peer that was checked', async () => {
    const egress = rebinding([GOOD], [DECOY]);
    await egress.fetch(get('/stay'));
    const before = source.connections();
    await expect(egress.fetch(get('/stay'))).resolves.toMatchObject({ status: 200 });
    expect(source.connections()).toBe(before);
    expect(decoyed).toEqual([]);
    await egress.close();
  });

  it('a connection of one policy is never used by another', async () => {
    const egress = rebinding([GOOD]);
    const models = egress.allowing([{ host: 'api.example.org', port: source.port }]);
    await models.fetch(get('/stay'));
    const before = source.connections();
    await egress.fetch(get('/stay'));
    expect(source.connections()).toBe(before + 1);
    const narrow = testEgress({ allow: [], resolve: () => Promise.resolve([GOOD]) });
    await expect(narrow.fetch(get('/stay'))).rejects.toMatchObject({ code: 'egress_denied' });
    await Promise.all([egress.close(), narrow.close()]);
  });
});
