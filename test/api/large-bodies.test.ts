import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { JSON_BODY_LIMIT } from '../../src/http/body-parsers';
import { PREFIX, startApi, type TestApi } from './api-fixture';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const PIECE = Buffer.alloc(256 * 1024, 'a');
const CHUNK = Buffer.concat([Buffer.from(`${PIECE.length.toString(16)}\r\n`), PIECE, Buffer.from('\r\n')]);
const PIECES = (3 * JSON_BODY_LIMIT) / PIECE.length;

/** A client that sends to the end before it reads, as many do. Throws where its connection is reset. */
async function sendThenRead(
  bodyHeader: string,
  piece: Buffer,
  pieces: number,
  shown = Object.entries(api.headers),
): Promise<string> {
  const socket = connect({ port: api.port, host: '127.0.0.1' });
  await once(socket, 'connect');
  const broken = once(socket, 'error').then(([error]) => Promise.reject(error as Error));
  const sent = (async () => {
    socket.write(
      [
        `POST ${PREFIX}/runs HTTP/1.1`,
        `Host: 127.0.0.1:${api.port}`,
        'Content-Type: application/json',
        ...shown.map(([name, value]) => `${name}: ${value}`),
        bodyHeader,
        '\r\n',
      ].join('\r\n'),
    );
    for (let at = 0; at < pieces; at += 1) {
      if (!socket.write(piece)) await once(socket, 'drain');
    }
    if (bodyHeader.includes('chunked')) socket.write('0\r\n\r\n');
    let answer = '';
    for await (const chunk of socket) {
      answer += String(chunk);
      if (answer.includes('request_id')) break;
    }
    return answer;
  })();
  return Promise.race([sent, broken]).finally(() => socket.destroy());
}

describe('a body that is too large', () => {
  const refused = /^HTTP\/1\.1 413 [^]*application\/problem\+json[^]*"code":"payload_too_large"/;

  it('is refused with words that a client reads who sends it all first', async () => {
    expect(await sendThenRead(`Content-Length: ${PIECES * PIECE.length}`, PIECE, PIECES)).toMatch(refused);
    expect(await sendThenRead('Transfer-Encoding: chunked', CHUNK, PIECES)).toMatch(refused);
  });

  it('is refused for fetch, every time', async () => {
    const source = 'a'.repeat(PIECES * PIECE.length);
    for (let tries = 0; tries < 3; tries += 1) {
      const answer = await api.call('POST', '/playbooks', { source });
      expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
    }
  });

  it('is refused also where the rest never comes', async () => {
    expect(await sendThenRead(`Content-Length: ${PIECES * PIECE.length}`, PIECE, 1)).toMatch(refused);
    expect((await api.call('GET', '/runs')).status).toBe(200);
  });
});

describe('a body of somebody who shows nothing', () => {
  const refused = /^HTTP\/1\.1 401 [^]*"code":"unauthenticated"/;

  it('is not taken in: more than signing in takes is refused before it is read', async () => {
    expect(await sendThenRead(`Content-Length: ${PIECE.length}`, PIECE, 1, [])).toMatch(refused);
    expect(await sendThenRead('Transfer-Encoding: chunked', CHUNK, 1, [])).toMatch(refused);
    // Reads the refusal without waiting: these pieces never come.
    expect(await sendThenRead(`Content-Length: ${JSON_BODY_LIMIT}`, PIECE, 1, [])).toMatch(refused);
  });
});
