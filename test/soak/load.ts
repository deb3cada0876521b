import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../support/fault-size';
import { callStep, GATE, playbook } from '../support/fault-texts';
import type { ProductApi } from '../support/product-api';

/** A playbook of the load, with what a run of it must have done. */
interface Kind {
  id: string;
  source: string;
  /** Requests that W must have seen under keys of the run itself. */
  effects: number;
  /** True if a person decides in the middle of it. */
  gated: boolean;
}

export interface LoadRun {
  runId: string;
  kind: Kind;
  /** Decision of the person, if one was asked. */
  decision?: 'approve' | 'reject';
}

const ITEMS = 8;
const ITEM = `{name: sent, step_type: tool, action: call_connector, connector: w, endpoint: keyed, inputs: {run: "{execution_id}", what: "{item}"}}`;

/** Long enough in a row to be a segment, in parallel, as a list, behind a person, and in a child run. */
const KINDS: readonly Kind[] = [
  {
    id: 'soak-row',
    source: playbook('soak-row', [
      ...['a', 'b', 'c'].map((name) => callStep(name, 'keyed')),
      `{name: note, step_type: tool, action: write_journal_entry, inputs: {summary: "{execution_id}"}}`,
      `{name: sum, step_type: tool, action: transform_data, inputs: {data: [{n: 2}]}, operations: [{type: compute, fields: [{as: out, expression: "{n} * 2"}]}]}`,
    ]),
    effects: 3,
    gated: false,
  },
  {
    id: 'soak-gate',
    source: playbook('soak-gate', [callStep('before', 'keyed'), GATE, callStep('after', 'keyed')]),
    effects: 2,
    gated: true,
  },
  {
    id: 'soak-list',
    source: playbook('soak-list', [
      `{name: each, for_each: {items: [${Array.from({ length: ITEMS }, (_unused, at) => at).join(', ')}], max_parallel: 4, steps: [${ITEM}]}}`,
    ]),
    effects: ITEMS,
    gated: false,
  },
  {
    id: 'soak-parent',
    source: playbook('soak-parent', [
      callStep('first', 'keyed'),
      `{name: child, action: run_playbook, playbook: soak-row}`,
      callStep('last', 'keyed'),
    ]),
    effects: 2,
    gated: false,
  },
];

/** Starts runs until it is told to stop, decides what they ask, and keeps what they must have done. */
export class Load {
  readonly runs: LoadRun[] = [];
  /** Faults on the client's side that no outage explains. */
  readonly problems: string[] = [];
  private readonly open = new Set<Promise<void>>();
  private stopped = false;

  constructor(
    private readonly api: ProductApi,
    private readonly random: Random,
    private readonly options: { everyMs: number; atOnce: number; waitMs: number },
  ) {}

  async save(): Promise<void> {
    for (const { source } of KINDS) await this.api.savePlaybook(source);
  }

  async start(): Promise<void> {
    while (!this.stopped) {
      await sleep(this.options.everyMs);
      if (this.open.size >= this.options.atOnce) continue;
      const one = this.one(this.random.pick(KINDS), this.random.int(0, 9) === 0 ? 'reject' : 'approve').catch(
        (error: unknown) => void this.problems.push(String(error)),
      );
      this.open.add(one);
      void one.finally(() => this.open.delete(one));
    }
  }

  /** Resolves when every run that was begun has its end. */
  async stop(): Promise<void> {
    this.stopped = true;
    while (this.open.size > 0) await Promise.all(this.open);
  }

  private async one(kind: Kind, decision: 'approve' | 'reject'): Promise<void> {
    const runId = await this.persist(() =>
      this.api.startRun(kind.id, {}, { key: `soak-${this.runs.length}-${Math.random()}` }),
    );
    this.runs.push({ runId, kind, ...(kind.gated && { decision }) });
    if (kind.gated) {
      const approvalId = await this.persist(() => this.api.approval(runId));
      await this.persist(() => this.decided(approvalId, decision));
    }
    const { status, steps } = await this.api.done(runId, this.options.waitMs);
    const expected = decision === 'reject' && kind.gated ? 'rejected' : 'complete';
    if (status !== expected)
      this.problems.push(
        `run ${runId} of ${kind.id} is ${status}, not ${expected}: ${JSON.stringify(steps.slice(-3))}`,
      );
  }

  /** An outage answers 503 or not at all; whoever asks again is counted once. */
  private async decided(approvalId: string, decision: 'approve' | 'reject'): Promise<void> {
    const { status, body } = await this.api.decide(approvalId, decision);
    if (status < 300 || (status === 409 && body['code'] === 'approval_already_decided')) return;
    throw new Error(`${decision} of ${approvalId} gave ${status}: ${JSON.stringify(body)}`);
  }

  private async persist<T>(ask: () => Promise<T>): Promise<T> {
    for (const end = Date.now() + this.options.waitMs; ; await sleep(500)) {
      try {
        return await ask();
      } catch (error) {
        if (Date.now() > end) throw error;
      }
    }
  }
}

/** Effects that W must have seen, by run. A rejected gate ends its run before the second. */
export function expectedEffects(runs: readonly LoadRun[]): Map<string, number> {
  return new Map(runs.map(({ runId, kind, decision }) => [runId, decision === 'reject' ? 1 : kind.effects]));
}
