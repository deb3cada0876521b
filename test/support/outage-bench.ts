import { request } from 'node:http';
import type { JsonObject } from '../../core/base/json';
import { startFaultBench, type FaultBench } from './fault-bench';
import type { ApiAnswer } from './product-api';
import type { Servers, StackOptions } from './stack';
import { TcpProxy } from './tcp-proxy';

/** A bench whose API has proxies to its servers too, and one before itself. */
export interface OutageBench extends FaultBench {
  apiToDatabase: TcpProxy;
  apiToTemporal: TcpProxy;
  clientToApi: TcpProxy;
}

export async function startOutageBench(options: StackOptions = {}): Promise<OutageBench> {
  const ways: TcpProxy[] = [];
  const open = async ({ databaseUrl, temporalAddress }: Servers): Promise<TcpProxy[]> => {
    if (ways.length === 0) {
      ways.push(await TcpProxy.start(new URL(databaseUrl).host), await TcpProxy.start(temporalAddress));
    }
    return ways;
  };
  const bench = await startFaultBench({
    ...options,
    apiEnv: async (servers) => {
      const [toDatabase, toTemporal] = (await open(servers)) as [TcpProxy, TcpProxy];
      return { DATABASE_URL: toDatabase.through(servers.databaseUrl), TEMPORAL_ADDRESS: toTemporal.address };
    },
  });
  const [apiToDatabase, apiToTemporal] = ways as [TcpProxy, TcpProxy];
  const clientToApi = await TcpProxy.start(new URL(bench.stack.api.url).host);
  return {
    ...bench,
    apiToDatabase,
    apiToTemporal,
    clientToApi,
    close: async () => {
      try {
        await bench.close();
      } finally {
        await Promise.all([apiToDatabase, apiToTemporal, clientToApi].map((proxy) => proxy.close()));
      }
    },
  };
}

/** A POST to the API through a proxy; undefined when the connection broke before the answer. */
export function postThrough(
  bench: OutageBench,
  path: string,
  body: JsonObject,
  headers: Record<string, string>,
): Promise<ApiAnswer | undefined> {
  const [host, port] = bench.clientToApi.address.split(':');
  const own = new URL(bench.stack.api.url);
  return new Promise((resolve) => {
    const call = request({
      host,
      port,
      method: 'POST',
      path: `/api/agent-factory${path}`,
      headers: { 'content-type': 'application/json', host: own.host, ...bench.stack.api.headers, ...headers },
      agent: false,
    });
    call.on('error', () => resolve(undefined));
    call.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => resolve(undefined));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: new Headers(), body: JSON.parse(text) as JsonObject });
      });
    });
    call.end(JSON.stringify(body));
  });
}
