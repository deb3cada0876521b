import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openApi } from '../../cli/context';
import { writeEndpoints } from '../../infra/embedded/endpoints';
import { createHome, resolveHome } from '../../infra/embedded/home';
import { writeLocalKey } from '../../infra/embedded/local-key-file';
import { newFolder } from '../support/run-folder';

describe('the key that the command line shows', () => {
  let server: Server;
  let shown: unknown[];
  let origin: string;
  beforeEach(async () => {
    shown = [];
    server = createServer((request, response) => {
      shown.push(request.headers['x-api-key']);
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    process.env['AF_HOME'] = newFolder('cli-home');
    createHome(resolveHome());
    writeLocalKey(resolveHome().root, 'afk_local');
  });
  afterEach(() => {
    delete process.env['AF_HOME'];
    delete process.env['AF_API_KEY'];
    server.close();
  });

  function runsAt(url: string): void {
    const none = { pid: 0 };
    writeEndpoints(resolveHome(), {
      api: { url, ...none },
      worker: none,
      temporal: { address: '', pid: null },
      temporalUi: { url: null },
      database: { url: '', pid: null, data_dir: null },
    });
  }

  it('is local.key for the API that runs in this home, and goes to no other', async () => {
    await openApi(origin).get('/runs');
    runsAt('http://127.0.0.1:9');
    await openApi(origin).get('/runs');
    runsAt(origin);
    await openApi(origin).get('/runs');
    expect(shown).toEqual([undefined, undefined, 'afk_local']);
  });

  it('is that of AF_API_KEY, where it is set', async () => {
    process.env['AF_API_KEY'] = 'afk_given';
    await openApi(origin).get('/runs');
    expect(shown).toEqual(['afk_given']);
  });
});
