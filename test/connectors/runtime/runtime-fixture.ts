import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { CallContext } from '../../../connectors/call/call-context';
import { createHttpTransport } from '../../../connectors/http/create-transport';
import type { Exchange, ExchangeResult } from '../../../connectors/http/exchange';
import { WaitBudget, type WaitBudgetOptions } from '../../../connectors/runtime/limits/wait-budget';
import type { ConnectorRuntime } from '../../../connectors/runtime/runtime';
import { newCallStats, type CallOrigin, type CallStats } from '../../../connectors/runtime/records/call-stats';
import type { ShippedLimits } from '../../../connectors/runtime/limits/limiter';
import type { Database } from '../../../infra/db/database';
import { ConnectorsStore } from '../../../infra/db/stores/definitions.store';
import type { Egress } from '../../../infra/egress/egress';
import { Mask } from '../../../infra/secrets/mask';
import { testEgress } from '../../support/egress';
import { OWNER } from '../../db/db-fixture';
import { startHttpSource, type HttpSource, type SeenRequest } from '../../support/http-source';
import { nothingShipped, testRuntime } from '../../support/connector-runtime';

export type Reply = (response: ServerResponse, request: SeenRequest) => void;

/** A source that answers by script: the replies in order, then the last one again and again. */
export interface Script extends HttpSource {
  play(...replies: Reply[]): void;
}

export async function startScript(): Promise<Script> {
  let replies: Reply[] = [];
  const source = await startHttpSource((request, response) => {
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    reply?.(response, request);
  });
  return Object.assign(source, {
    play: (...given: Reply[]) => {
      replies = given;
      source.seen.length = 0;
    },
  });
}

export function reply(status: number, headers: Record<string, string> = {}, body = '{"ok":true}'): Reply {
  return (response) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

export const broken: Reply = (response) => response.destroy();
export const silent: Reply = () => undefined;

/** One worker: its own process-wide state over the shared database. */
export interface TestWorker {
  runtime: ConnectorRuntime;
  egress: Egress;
  call(
    exchange: Exchange,
    /** `unread`: nobody could make sense of the answer. */
    options?: Partial<WaitBudgetOptions> & { by?: CallOrigin; unread?: boolean },
  ): Promise<ExchangeResult & { stats: CallStats }>;
  close(): Promise<void>;
}

export function startWorker(
  on: Database | { database: Database; shipped: ShippedLimits },
  ...sources: HttpSource[]
): TestWorker {
  const { database, shipped } = 'shipped' in on ? on : { database: on, shipped: nothingShipped };
  const runtime = testRuntime(database, randomUUID(), shipped);
  const egress = testEgress({ allow: sources.map(({ port }) => ({ host: '127.0.0.1', port })) });
  return {
    runtime,
    egress,
    call: async (exchange, { by = {}, unread = false, ...options } = {}) => {
      const stats = newCallStats();
      const waits = new WaitBudget({ maxWaitMs: 3_600_000, waitedMs: 0, refusals: 0, ...options });
      const done = await createHttpTransport({ egress, runtime, waits, stats, by })(exchange);
      if (!unread && done.response.status < 400) await done.readable(42);
      return { ...done, stats };
    },
    close: async () => {
      await runtime.close();
      await egress.close();
    },
  };
}

/** Facts of a request and of its call. */
export type ExchangeOptions = Partial<Omit<Exchange, 'call'> & Omit<CallContext, 'secretOwner'>> & { path?: string };

/** A request with a credential of its own, so that no test meets the limits of another. */
export function exchange(source: HttpSource, more: ExchangeOptions = {}): Exchange {
  const { path = '/list', connector, name, versionId, ownerId = OWNER, signal, deadline, mask, ...facts } = more;
  const call: CallContext = {
    connector: connector ?? { id: 'c' },
    name: name ?? 'list',
    versionId,
    ownerId,
    secretOwner: ownerId,
    signal: signal ?? new AbortController().signal,
    deadline: deadline ?? Date.now() + 30_000,
    mask: mask ?? new Mask(),
  };
  const request = { method: 'GET', url: `${source.url}${path}`, timeoutMs: 5000 };
  return { call, request, effect: 'none', credential: { name: randomUUID(), version: '1' }, ...facts };
}

export async function storedVersion(database: Database): Promise<string> {
  const saved = await new ConnectorsStore(database).save(OWNER, {
    slug: `c-${randomUUID()}`,
    name: 'C',
    kind: 'rest_api',
    content_hash: randomUUID(),
    source_format: 'yaml',
    source: 'x',
    body: {},
  });
  return saved.version.id;
}
