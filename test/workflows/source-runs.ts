import { createHash, randomUUID } from 'node:crypto';
import type { JsonObject } from '../../core/base/json';
import { isTerminal, LOCAL_USER_ID } from '../../core/base/run-status';
import type { ConnectorDefinition } from '../../core/connector/types';
import { parsePlaybook } from '../../core/playbook/parse-playbook';
import { ConnectorsStore } from '../../infra/db/stores/definitions.store';
import type { RunRow } from '../../infra/db/stores/run-types';
import { readConnector } from '../../connectors/definition/read-connector';
import { openKeys, openVault } from '../../infra/secrets/open-vault';
import { startInProcess, type InProcess } from '../support/in-process';
import { waitUntil } from '../support/wait-until';

export const SOMEBODY_ELSE = '00000000-0000-4000-8000-000000000002';

interface SourceRun {
  owner?: string;
  /** Connector; steps name it by its id. */
  connector: ConnectorDefinition;
  /** Secrets that the definition names. */
  secrets?: Record<string, string>;
  /** YAML of each. */
  steps: readonly string[];
}

/** Runs that call sources through everything that the product has: limits, waits, breakers, cache, records. */
export interface SourceRuns {
  stack: InProcess;
  begin(run: SourceRun): Promise<string>;
  done(runId: string, owner?: string): Promise<RunRow>;
  close(): Promise<void>;
}

export async function startSourceRuns(ports: readonly number[]): Promise<SourceRuns> {
  const stack = await startInProcess({ env: { AF_EGRESS_ALLOW: ports.map((port) => `127.0.0.1:${port}`).join(',') } });
  await stack.admin.query(`insert into users (id, handle, display_name) values ($1, 'other', 'Somebody else')`, [
    SOMEBODY_ELSE,
  ]);
  return {
    stack,
    begin: (run) => begin(stack, run),
    done: async (runId, owner = LOCAL_USER_ID) => {
      let run = await stack.runs.require(owner, runId);
      const ended = async (): Promise<boolean> => {
        run = await stack.runs.require(owner, runId);
        return isTerminal(run.status);
      };
      await waitUntil(`the end of ${runId}`, ended);
      return run;
    },
    close: () => stack.close(),
  };
}

/** The definition of a text that must be right. */
export function connectorOf(text: string): ConnectorDefinition {
  const { definition, problems } = readConnector(text);
  if (definition === undefined) throw new Error(`the connector does not parse: ${JSON.stringify(problems)}`);
  return definition;
}

async function begin(stack: InProcess, run: SourceRun): Promise<string> {
  const { owner = LOCAL_USER_ID, connector } = run;
  const connectors = new ConnectorsStore<ConnectorDefinition>(stack.database);
  const pinned = await connectors.save(owner, {
    // The same definition is the same version.
    content_hash: createHash('sha256').update(JSON.stringify(connector)).digest('hex'),
    source_format: 'yaml',
    slug: connector.id,
    name: connector.id,
    kind: connector.type,
    source: 'x',
    body: connector,
  });
  const vault = openVault(stack.config, stack.database, openKeys(stack.config));
  for (const [name, value] of Object.entries(run.secrets ?? {})) {
    await vault.create(owner, name, { value, allowedHosts: ['*'] });
  }
  const slug = `calls-${randomUUID().slice(0, 8)}`;
  const source = [`id: ${slug}`, `name: ${slug}`, 'steps:', ...run.steps.map((step) => `  - ${step}`)].join('\n');
  const { plan, problems } = parsePlaybook(source);
  if (!plan) throw new Error(`the playbook does not parse: ${JSON.stringify(problems)}`);
  const { version } = await stack.playbooks.save(owner, {
    content_hash: slug,
    source_format: 'yaml',
    slug,
    name: slug,
    source,
    body: plan,
  });
  const id = randomUUID();
  const now = new Date().toISOString();
  await stack.runs.create(owner, {
    id,
    playbook_id: version.definition_id,
    playbook_version_id: version.id,
    playbook_slug: slug,
    playbook_name: slug,
    inputs: {},
    run_context: 'interactive',
    approval_policy: plan.approval_policy,
    clock: { now, today: now.slice(0, 10), time_zone: 'UTC' },
    connectors: { [connector.id]: pinned.version.id },
  });
  await stack.gateway.startRun(id);
  return id;
}

export interface Call {
  connector: string;
  endpoint: string;
  inputs?: JsonObject;
  max_wait_seconds?: number;
}

/** A step that calls an endpoint; `more`: further fields of the step. */
export function callStep(name: string, { inputs, ...params }: Call, more = ''): string {
  const fields = [
    `name: ${name}, step_type: tool, action: call_connector, params: ${JSON.stringify(params)}`,
    ...(inputs === undefined ? [] : [`inputs: ${JSON.stringify(inputs)}`]),
    ...(more === '' ? [] : [more]),
  ];
  return `{${fields.join(', ')}}`;
}

export function noteStep(summary: string): string {
  return `{name: end, step_type: tool, action: write_journal_entry, inputs: {summary: ${JSON.stringify(summary)}}}`;
}
