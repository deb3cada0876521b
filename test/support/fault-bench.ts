import { witnessConnector } from './fault-texts';
import { startStack, type Servers, type Stack, type StackOptions } from './stack';
import { TcpProxy } from './tcp-proxy';
import { Witness } from './witness';

interface Ways {
  toDatabase: TcpProxy;
  toTemporal: TcpProxy;
  /** The connector `wp` reaches W through a proxy; `w` goes there directly. */
  toWitness: TcpProxy;
}

/** One stack with W, and a proxy on each connection of a worker. Shared by the cases of one test file. */
export interface FaultBench extends Ways {
  stack: Stack;
  witness: Witness;
  /** Kills all workers and starts one, after everything that the proxies and W hold back was released. */
  calm(): Promise<void>;
  close(): Promise<void>;
}

export async function startFaultBench(options: StackOptions = {}): Promise<FaultBench> {
  const witness = await Witness.start();
  const toWitness = await TcpProxy.start(witness.address);
  let ways: Promise<Ways> | undefined;
  const stack = await startStack({
    ...options,
    egress: [witness.address, toWitness.address, ...(options.egress ?? [])],
    workerEnv: async (servers) => {
      const { toDatabase, toTemporal } = await (ways ??= openWays(servers, toWitness));
      return { DATABASE_URL: toDatabase.through(servers.databaseUrl), TEMPORAL_ADDRESS: toTemporal.address };
    },
  });
  const { toDatabase, toTemporal } = await (ways ??= openWays(stack.servers, toWitness));
  const proxies = [toDatabase, toTemporal, toWitness];
  await stack.api.saveConnector(witnessConnector('w', witness.url));
  await stack.api.saveConnector(witnessConnector('wp', `http://${toWitness.address}`));
  return {
    stack,
    witness,
    toDatabase,
    toTemporal,
    toWitness,
    calm: async () => {
      await stack.killWorkers();
      for (const proxy of proxies) proxy.release();
      witness.respond(undefined);
      await stack.startWorker();
    },
    close: async () => {
      try {
        await stack.close();
      } finally {
        await witness.close();
        await Promise.all(proxies.map((proxy) => proxy.close()));
      }
    },
  };
}

async function openWays({ databaseUrl, temporalAddress }: Servers, toWitness: TcpProxy): Promise<Ways> {
  const toDatabase = await TcpProxy.start(new URL(databaseUrl).host);
  return { toDatabase, toTemporal: await TcpProxy.start(temporalAddress), toWitness };
}
