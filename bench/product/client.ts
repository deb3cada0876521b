import { randomUUID } from 'node:crypto';
import { Agent, type Dispatcher } from 'undici';
import type { Json, JsonObject } from '../../core/base/json';

/** Seconds. */
const LONGEST_WAIT = 60;

/** One user of the public HTTP API: JSON requests and the event stream, over kept connections. */
export class ProductClient {
  private readonly agent = new Agent({ connections: 256, pipelining: 1, bodyTimeout: 0, headersTimeout: 120_000 });

  /** `key`: an API key that may decide. */
  constructor(
    private readonly base: string,
    private readonly key: string,
  ) {}

  async save(playbook: JsonObject): Promise<void> {
    await this.json('POST', '/playbooks', { source: playbook });
  }

  async start(playbook: string, inputs: JsonObject): Promise<string> {
    const { runId } = (await this.json('POST', '/runs', { playbook, inputs })) as { runId: string };
    return runId;
  }

  /** Makes a whole run in one request: gives its end with its outputs by step. */
  async runToEnd(playbook: string, inputs: JsonObject): Promise<{ status: Json; outputs: { [step: string]: Json } }> {
    const { runId, status, run } = await this.json('POST', `/runs?wait=${LONGEST_WAIT}`, { playbook, inputs });
    if (run === undefined)
      throw new Error(`a run of ${playbook} goes on after a minute: ${JSON.stringify({ runId, status })}`);
    return run as unknown as { status: Json; outputs: { [step: string]: Json } };
  }

  /** Reads the run with its outputs by step. */
  async run(runId: string): Promise<{ status: string; outputs: { [step: string]: Json } }> {
    return (await this.json('GET', `/runs/${runId}`)) as unknown as {
      status: string;
      outputs: { [step: string]: Json };
    };
  }

  /** Digest of the request as the approver has seen it; the approval names it. */
  async digest(approvalId: string): Promise<Json> {
    return (await this.json('GET', `/approvals/${approvalId}`))['digest'] ?? null;
  }

  /** Takes 202 as an answer too: the decision is stored and applied in a moment, as in a burst of approvals. The run's events show the effect. */
  async approve(approvalId: string, digest: Json): Promise<void> {
    const path = `/approvals/${approvalId}/approve`;
    const answer = await this.request('POST', path, { decisionId: randomUUID(), digest });
    if (answer.status >= 300) throw refused('POST', path, answer);
  }

  /** Opens the event stream; resolves once it is open, `until` when an event of this type arrived. */
  async follow(
    runId: string,
    lastId = 0,
  ): Promise<{ until: (type: string) => Promise<FollowedEvent>; close: () => void }> {
    const stop = new AbortController();
    const { statusCode, body } = await this.agent.request({
      origin: this.origin,
      path: `${this.path}/runs/${runId}/events`,
      method: 'GET',
      headers: { 'x-api-key': this.key, 'last-event-id': String(lastId) },
      signal: stop.signal,
    });
    if (statusCode !== 200) throw new Error(`events of ${runId}: ${statusCode} ${await body.text()}`);
    const events = eventsOf(body);
    body.on('error', () => undefined);
    return {
      until: async (type) => {
        for (;;) {
          const { done, value } = await events.next();
          if (done) throw new Error(`the stream of ${runId} ended before ${type}`);
          if (value.type === type) return value;
        }
      },
      close: () => stop.abort(),
    };
  }

  /** Makes any request and gives its status too. */
  async request(
    method: Dispatcher.HttpMethod,
    path: string,
    body?: JsonObject,
  ): Promise<{ status: number; body: JsonObject }> {
    const answer = await this.agent.request({
      origin: this.origin,
      path: this.path + path,
      method,
      headers: { 'x-api-key': this.key, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, body: (await answer.body.json()) as JsonObject };
  }

  /** Asks for the cheapest answer of the process: no key, no database. */
  async live(): Promise<Json> {
    const { statusCode, body } = await this.agent.request({ origin: this.origin, path: '/health/live', method: 'GET' });
    if (statusCode !== 200) throw new Error(`/health/live: ${statusCode} ${await body.text()}`);
    return (await body.json()) as Json;
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private get origin(): string {
    return new URL(this.base).origin;
  }

  private get path(): string {
    return new URL(this.base).pathname.replace(/\/$/, '');
  }

  private async json(method: Dispatcher.HttpMethod, path: string, body?: JsonObject): Promise<JsonObject> {
    const answer = await this.request(method, path, body);
    if (answer.status >= 300 || answer.status === 202) throw refused(method, path, answer);
    return answer.body;
  }
}

function refused(method: string, path: string, { status, body }: { status: number; body: JsonObject }): Error {
  return new Error(`${method} ${path}: ${status} ${JSON.stringify(body).slice(0, 1_000)}`);
}

export interface FollowedEvent {
  id: number;
  type: string;
  data: JsonObject;
}

async function* eventsOf(body: AsyncIterable<Buffer>): AsyncGenerator<FollowedEvent, void, undefined> {
  let rest = '';
  for await (const chunk of body) {
    rest += chunk.toString('utf8');
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const found = /^id: (\d+)\nevent: (\S+)\ndata: (.*)$/.exec(block);
      if (found) yield { id: Number(found[1]), type: found[2] ?? '', data: JSON.parse(found[3] ?? '{}') as JsonObject };
    }
  }
}
