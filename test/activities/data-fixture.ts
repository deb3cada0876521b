import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createDataActions } from '../../activities/actions/data.actions';
import { openStores } from '../../activities/stores';
import type { ActionContext, ActionTable } from '../../activities/actions/types';
import type { Json, JsonObject } from '../../core/base/json';
import { jsonText } from '../../core/base/json-text';
import { AppError } from '../../core/errors/app-error';
import { PostgresBlobs } from '../../infra/blob/postgres-blobs';
import { owner } from '../../infra/db/database';
import { OWNER, seedRun, testDatabase, type TestDatabase } from '../db/db-fixture';
import { newFolder } from '../support/run-folder';

/** Real database, blob store and export directory; a step's commit runs in a transaction as the runner would do it. */
export class DataFixture {
  readonly effects: string[] = [];

  private constructor(
    readonly db: TestDatabase,
    readonly runId: string,
    readonly exportDir: string,
    readonly blobs: PostgresBlobs,
    readonly actions: ActionTable,
  ) {}

  static async start(): Promise<DataFixture> {
    const db = await testDatabase();
    const runId = await seedRun(db.database);
    const exportDir = newFolder('exports');
    const blobs = new PostgresBlobs(db.database);
    return new DataFixture(
      db,
      runId,
      exportDir,
      blobs,
      createDataActions({ stores: openStores(db.database), blobs, exportDir }),
    );
  }

  async stop(): Promise<void> {
    await this.db.close();
    await rm(this.exportDir, { recursive: true, force: true });
  }

  async run(
    action: string,
    inputs: JsonObject,
    params: JsonObject = {},
    context: Partial<ActionContext> = {},
  ): Promise<JsonObject> {
    const carryOut = this.actions[action];
    if (carryOut === undefined) {
      throw new Error(`no action ${action}`);
    }
    const whole = { ...this.context(), ...context };
    const outcome = await carryOut({ action, inputs, params }, whole);
    const output: Json =
      'output' in outcome ? outcome.output : await this.db.database.tx(owner(whole.ownerId), outcome.commit);
    return output as JsonObject;
  }

  /** The code of the AppError that the action throws. */
  async failure(action: string, inputs: JsonObject, params: JsonObject = {}): Promise<string> {
    try {
      await this.run(action, inputs, params);
      return 'no failure';
    } catch (error) {
      if (error instanceof AppError) {
        return error.code;
      }
      throw error;
    }
  }

  async rows(text: string, params: unknown[] = []): Promise<JsonObject[]> {
    return this.db.admin.query<JsonObject>(text, params);
  }

  async content(documentId: Json | undefined): Promise<string> {
    return (await this.bytes(documentId)).toString('utf8');
  }

  async bytes(documentId: Json | undefined): Promise<Buffer> {
    const [row] = await this.rows('select sha256 from documents where id = $1', [documentId]);
    return this.blobs.get(OWNER, jsonText(row?.sha256));
  }

  /** Schema-qualified name of a workspace table. */
  async table(name: string): Promise<string> {
    const [row] = await this.rows(
      'select w.schema_name, t.sql_name from workspace_tables t join workspaces w on w.id = t.workspace_id where t.name = $1',
      [name],
    );
    return `"${jsonText(row?.schema_name)}"."${jsonText(row?.sql_name)}"`;
  }

  context(): ActionContext {
    const stepPath = `step_${randomUUID().slice(0, 8)}`;
    return {
      runId: this.runId,
      ownerId: OWNER,
      playbookId: 'a-playbook',
      stepPath,
      stepName: 'save',
      effectKey: `${this.runId}/${stepPath}`,
      tryNo: 1,
      clock: { now: '2026-11-28T10:00:00Z', today: '2026-11-28', time_zone: 'America/Los_Angeles' },
      connectors: {},
      timeoutMs: 60_000,
      signal: new AbortController().signal,
      note: () => undefined,
      beforeEffect: async (target) => {
        this.effects.push(target.description);
      },
    };
  }
}
