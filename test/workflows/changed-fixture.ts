import { createHash } from 'node:crypto';
import type { ActionTable } from '../../activities/actions/types';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import type { ConnectorDefinition } from '../../core/connector/types';
import type { Problem } from '../../core/errors/problem';
import { readPlaybook } from '../../core/playbook/parse-playbook';
import { validatePlaybook } from '../../core/validate/validate-playbook';
import { ConnectorsStore } from '../../infra/db/stores/definitions.store';
import type { RunRow, RunSummary } from '../../infra/db/stores/run-types';
import { definitionsFor } from '../../src/playbooks/owner-catalogue';
import { startInProcess, type InProcess, type InProcessOptions } from '../support/in-process';
import { waitUntil } from '../support/wait-until';
import { Witness } from '../support/witness';
import { connectorOf } from './source-runs';

/** Definitions that are saved as the API saves them, and may change before and while a run of them. */
export class Definitions {
  private constructor(
    readonly stack: InProcess,
    readonly witness: Witness,
  ) {}

  /** `actions`: of the test, beside the product's own. */
  static async start(
    actions: ActionTable = {},
    options: Pick<InProcessOptions, 'endingMs'> = {},
  ): Promise<Definitions> {
    const witness = await Witness.start();
    const stack = await startInProcess({ ...options, actions, env: { AF_EGRESS_ALLOW: witness.address } });
    return new Definitions(stack, witness);
  }

  async close(): Promise<void> {
    await this.stack.close();
    await this.witness.close();
  }

  /** `{witness}` in the text is the address of the source. */
  async connector(text: string): Promise<void> {
    const body = connectorOf(text.replaceAll('{witness}', this.witness.url));
    await this.connectors().save(LOCAL_USER_ID, {
      content_hash: createHash('sha256').update(JSON.stringify(body)).digest('hex'),
      source_format: 'yaml',
      slug: body.id,
      name: body.id,
      kind: body.type,
      source: text,
      body,
    });
  }

  /** Gives what validation says; a text with errors is not saved. */
  async playbook(source: string): Promise<Problem[]> {
    const stores = { connectors: this.connectors(), playbooks: this.stack.playbooks };
    const catalogue = await definitionsFor(stores, LOCAL_USER_ID, readPlaybook(source).draft?.plan);
    const { plan, problems } = validatePlaybook(source, catalogue);
    if (plan === undefined) throw new Error(`the playbook is not valid: ${JSON.stringify(problems)}`);
    await this.stack.playbooks.save(LOCAL_USER_ID, {
      slug: plan.playbook.id,
      name: plan.playbook.name,
      content_hash: createHash('sha256').update(source).digest('hex'),
      source_format: 'yaml',
      source,
      body: plan,
    });
    return problems;
  }

  /** Starts a run that pins what is there now. */
  async begin(slug: string, connectors: readonly string[] = []): Promise<string> {
    const pinned = await this.connectors().latest(LOCAL_USER_ID, connectors);
    return this.stack.start(slug, { connectors: Object.fromEntries(pinned) });
  }

  async run(slug: string, connectors: readonly string[] = []): Promise<RunRow> {
    return this.stack.done(await this.begin(slug, connectors));
  }

  /** Requests of the source under a path. */
  sent(path: string): { path: string; key: string }[] {
    return this.witness.seen
      .filter((seen) => seen.path.startsWith(path))
      .map(({ path: at, key }) => ({ path: at, key }));
  }

  children(run: RunRow): ReturnType<InProcess['runs']['children']> {
    return this.stack.runs.children(LOCAL_USER_ID, run.id);
  }

  /** The first child of a run, as soon as there is one. */
  async child(runId: string): Promise<RunSummary> {
    let found: RunSummary[] = [];
    const there = async (): Promise<boolean> => {
      found = await this.stack.runs.children(LOCAL_USER_ID, runId);
      return found.length > 0;
    };
    await waitUntil(`a child of ${runId}`, there);
    return found[0] as RunSummary;
  }

  private connectors(): ConnectorsStore<ConnectorDefinition> {
    return new ConnectorsStore<ConnectorDefinition>(this.stack.database);
  }
}

/** The source of `findings/wit-connector.yaml`, as far as it is called here. */
export const WIT = `
id: wit
type: rest_api
connection: {base_url: "{witness}"}
endpoints:
  fail: {method: GET, path: "/fail/{c}", parameters: [{name: c, type: integer, in: path, required: true}], response_mapping: {results_path: results, fields: {x: x}}}
  post: {method: POST, effect: keyed, path: "/post/{id}", parameters: [{name: id, type: string, in: path, required: true}], response_mapping: {results_path: results, fields: {ok: ok}}}
  unsafe: {method: POST, effect: unsafe, path: "/unsafe/{id}", parameters: [{name: id, type: string, in: path, required: true}], response_mapping: {results_path: results, fields: {ok: ok}}}
`;
