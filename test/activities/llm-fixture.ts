import { join } from 'node:path';
import type { JsonObject } from '../../core/base/json';
import type { OutputSchema } from '../../core/playbook/types';
import { createLlmActions } from '../../activities/actions/llm.actions';
import { createToolCatalog } from '../../activities/actions/llm-tool-catalog';
import type { ActionContext, ActionTable } from '../../activities/actions/types';
import type { ConnectorDefinition } from '../../core/connector/types';
import { ConnectorsStore } from '../../infra/db/stores/definitions.store';
import { ModelCallsStore } from '../../infra/db/stores/model-calls.store';
import { testEgress } from '../support/egress';
import { createModelClient } from '../../infra/llm/client';
import { loadPrices } from '../../infra/llm/prices';
import { llmSettings } from '../../infra/llm/settings';
import { OWNER, seedRun, testDatabase, type TestDatabase } from '../db/db-fixture';
import { ModelServer } from '../support/model-server';

export const REPORT: OutputSchema = {
  type: 'object',
  fields: [
    { name: 'report', type: 'string', description: 'Markdown' },
    { name: 'risk', type: 'integer' },
    { name: 'note', type: 'string', required: false },
  ],
};
export const GOOD = { report: 'All well.', risk: 2, note: null };

export interface Noted {
  type: string;
  payload: JsonObject;
}

/** Real database and ledger, real clients; only the providers are a stand-in. */
export class LlmFixture {
  readonly notes: Noted[] = [];

  private constructor(
    readonly db: TestDatabase,
    readonly server: ModelServer,
    readonly calls: ModelCallsStore,
  ) {}

  static async start(): Promise<LlmFixture> {
    const db = await testDatabase();
    return new LlmFixture(db, await ModelServer.start(), new ModelCallsStore(db.database));
  }

  actions(models: string[]): ActionTable {
    const settings = llmSettings({
      models,
      openaiApiKey: 'sk-canary-1',
      openaiBaseUrl: this.server.openaiUrl,
      anthropicApiKey: 'sk-canary-1',
      anthropicBaseUrl: this.server.anthropicUrl,
    });
    return createLlmActions({
      client: createModelClient(settings, testEgress()),
      ledger: this.calls,
      prices: loadPrices(join(__dirname, '../../catalog/prices.yaml')),
      toolSpecs: createToolCatalog(new ConnectorsStore<ConnectorDefinition>(this.db.database)),
    });
  }

  async context(more: Partial<ActionContext> = {}): Promise<ActionContext> {
    const runId = more.runId ?? (await seedRun(this.db.database));
    return {
      runId,
      ownerId: OWNER,
      playbookId: runId,
      stepPath: 'analyse',
      stepName: 'analyse',
      effectKey: `${runId}/analyse`,
      tryNo: 1,
      clock: { now: '2026-11-28T10:00:00Z', today: '2026-11-28', time_zone: 'UTC' },
      connectors: {},
      timeoutMs: 10_000,
      signal: new AbortController().signal,
      note: (type, payload) => void this.notes.push({ type, payload }),
      beforeEffect: () => Promise.reject(new Error('a model step has no effect')),
      ...more,
    };
  }

  /** Records of a run's model calls: outcomes in order, and the run's own totals. */
  async books(runId: string): Promise<{ outcomes: string[]; input: number; output: number; cost: number | null }> {
    const rows = await this.calls.list(OWNER, runId);
    const [run] = await this.db.admin.query<{
      input_tokens: number;
      output_tokens: number;
      cost_usd: number | null;
    }>('select input_tokens, output_tokens, cost_usd from runs where id = $1', [runId]);
    const sorted = rows.sort((a, b) => a.call_no - b.call_no);
    return {
      outcomes: sorted.map((row) => row.outcome),
      input: Number(run?.input_tokens),
      output: Number(run?.output_tokens),
      cost: run?.cost_usd ?? null,
    };
  }

  reset(): void {
    this.server.reset();
    this.notes.length = 0;
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.db.close();
  }
}
