import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { readServerEvents, type ServerEvent } from '../../cli/http/server-events';
import type { JsonObject } from '../../core/base/json';
import { isTerminal, type RunStatus } from '../../core/base/run-status';

export interface ApiAnswer<Body = JsonObject> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface RunView extends JsonObject {
  runId: string;
  status: RunStatus;
  waits: ({ kind: string; step_path?: string } & JsonObject)[];
  steps: ({ step: string; step_path: string; status: string; tries: number } & JsonObject)[];
}

export interface StepTryView extends JsonObject {
  try_no: number;
  attempts: number;
  losses: number;
  effect_sent_count: number;
}

export type Outcome = 'done' | 'not_done' | 'repeat';

const PREFIX = '/api/agent-factory';
const WAIT_MS = 240_000;
const POLL_MS = 100;

/** The product as its users see it, by HTTP alone. Remembers the runs that were acknowledged. */
export class ProductApi {
  /** Runs that were answered with a 2xx. */
  readonly acknowledged = new Set<string>();

  /** `key`: gives the API key; called for each request, because the API may not have made it yet. */
  constructor(
    readonly url: string,
    private readonly key: () => string | undefined,
  ) {}

  /** Owner of the key. */
  get headers(): Record<string, string> {
    return { 'x-api-key': this.key() ?? '' };
  }

  async call<Body = JsonObject>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiAnswer<Body>> {
    const response = await fetch(`${this.url}${PREFIX}${path}`, {
      method,
      headers: { ...this.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: (text === '' ? {} : JSON.parse(text)) as Body };
  }

  /** Like `call`, but any answer except a 2xx is an error. */
  async must<Body = JsonObject>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Body> {
    const answer = await this.call<Body>(method, path, body, headers);
    if (answer.status < 300) return answer.body;
    throw new Error(`${method} ${path} gave ${answer.status}: ${JSON.stringify(answer.body)}`);
  }

  /** Saves a playbook and gives its slug. */
  async savePlaybook(source: string): Promise<string> {
    return (await this.must<{ slug: string }>('POST', '/playbooks', { source })).slug;
  }

  async saveConnector(source: string): Promise<void> {
    await this.must('POST', '/connectors', { source });
  }

  /** Repeats a start that was refused for the moment, with the same idempotency key, as a client should. */
  async startRun(playbook: string, inputs: JsonObject = {}, more: JsonObject & { key?: string } = {}): Promise<string> {
    const { key = randomUUID(), ...rest } = more;
    for (;;) {
      const start = { playbook, inputs, ...rest };
      const { status, body } = await this.call<{ runId: string }>('POST', '/runs', start, { 'idempotency-key': key });
      if (status === 201) {
        this.acknowledged.add(body.runId);
        return body.runId;
      }
      if (status !== 503) throw new Error(`POST /runs gave ${status}: ${JSON.stringify(body)}`);
      await sleep(POLL_MS);
    }
  }

  run(runId: string): Promise<RunView> {
    return this.must<RunView>('GET', `/runs/${runId}`);
  }

  async tries(runId: string, stepPath: string): Promise<StepTryView[]> {
    const path = `/runs/${runId}/tries?step_path=${encodeURIComponent(stepPath)}`;
    return (await this.must<{ items: StepTryView[] }>('GET', path)).items;
  }

  /** Polls until the run satisfies the condition; an API that does not answer counts as "not yet". */
  async until(runId: string, test: (run: RunView) => boolean, what: string, limitMs = WAIT_MS): Promise<RunView> {
    const end = Date.now() + limitMs;
    for (let last: RunView | undefined; ; await sleep(POLL_MS)) {
      last = (await this.run(runId).catch(() => undefined)) ?? last;
      if (last !== undefined && test(last)) return last;
      if (Date.now() > end) throw new Error(`run ${runId} did not get to: ${what}. It is ${describeRun(last)}`);
    }
  }

  done(runId: string, limitMs = WAIT_MS): Promise<RunView> {
    return this.until(runId, (run) => isTerminal(run.status), 'an end', limitMs);
  }

  /** Events after `after` until the stream ends; that of a closed run ends by itself. */
  async events(runId: string, after = 0, signal?: AbortSignal): Promise<ServerEvent[]> {
    const events: ServerEvent[] = [];
    for await (const event of this.follow(runId, after, signal)) events.push(event);
    return events;
  }

  async *follow(runId: string, after = 0, signal?: AbortSignal): AsyncGenerator<ServerEvent> {
    const headers = { ...this.headers, 'last-event-id': String(after) };
    const response = await fetch(`${this.url}${PREFIX}/runs/${runId}/events`, { headers, ...(signal && { signal }) });
    if (response.body) yield* readServerEvents(response.body);
  }

  /** Waits until the run asks for a decision, and gives the id of the request. */
  async approval(runId: string): Promise<string> {
    await this.until(runId, (run) => run.status === 'waiting_approval', 'a waiting approval');
    const page = await this.must<{ items: { approvalId: string }[] }>('GET', `/approvals?run=${runId}&status=waiting`);
    const [first] = page.items;
    if (first === undefined) throw new Error(`run ${runId} waits for an approval that is not in the list`);
    return first.approvalId;
  }

  /** Decides on the inputs that the request shows at this moment. */
  async decide(approvalId: string, choice: 'approve' | 'reject', body: JsonObject = {}): Promise<ApiAnswer> {
    const shown = await this.call('GET', `/approvals/${approvalId}`);
    const decision = { decisionId: randomUUID(), digest: shown.body['digest'], ...body };
    return this.call('POST', `/approvals/${approvalId}/${choice}`, decision);
  }

  command(runId: string, name: 'cancel' | 'pause' | 'resume'): Promise<ApiAnswer> {
    return this.call('POST', `/runs/${runId}/${name}`, {});
  }

  resolve(runId: string, stepPath: string, outcome: Outcome): Promise<ApiAnswer> {
    return this.call('POST', `/runs/${runId}/resolve`, { step_path: stepPath, outcome });
  }
}

function describeRun(run: RunView | undefined): string {
  if (run === undefined) return 'not readable';
  const { status, code, message, waits, steps } = run as RunView & { code?: string; message?: string };
  return JSON.stringify({ status, code, message, waits, steps: steps.slice(-5) });
}
