import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Api } from '../../cli/http/api';

export interface ServedApi {
  api: Api;
  close(): Promise<void>;
}

/** The command line's client with a server that answers as the test wants. */
export async function serveApi(answer: RequestListener): Promise<ServedApi> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    api: new Api(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
