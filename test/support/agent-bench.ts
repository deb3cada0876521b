import { cpSync } from 'node:fs';
import path from 'node:path';
import type { JsonObject } from '../../core/base/json';
import { isTerminal } from '../../core/base/run-status';
import { AGENT_KEYS, CONSTRUCTED } from './agent-material';
import { startAgentSources, type AgentSources } from './agent-sources';
import { DATA_DIR } from './data';
import type { HttpSource } from './http-source';
import { ModelServer } from './model-server';
import type { ProductApi, RunView } from './product-api';
import { newFolder } from './run-folder';
import { startStack, type Stack } from './stack';

/** Connector → path of its stand-in. */
const PATHS: Record<string, string> = {
  'fec-contributions': '/fec/v1',
  'propublica-nonprofit': '/propublica',
  opencorporates: '/opencorporates',
  'sec-edgar': '/sec',
  wikidata: '/wikidata',
};

export interface AgentBench {
  stack: Stack;
  sources: AgentSources;
  models: ModelServer;
  /** Template → the profile that was made from it. */
  profiles: Record<string, string>;
  /** The recorded filings and the invented ones. */
  allFilings: string;
  /** The invented ones alone. */
  madeFilings: string;
  close(): Promise<void>;
}

/** The whole product with the sources of the three agents and a model, all stood in for at the wire. */
export async function startAgentBench(): Promise<AgentBench> {
  const [sources, models] = await Promise.all([startAgentSources(), ModelServer.start({ autoFill: true })]);
  const allFilings = newFolder('all-filings');
  const madeFilings = newFolder('made-filings');
  cpSync(path.join(DATA_DIR, 'irs990'), allFilings, { recursive: true });
  for (const folder of [allFilings, madeFilings]) {
    cpSync(path.join(CONSTRUCTED, 'filings'), folder, { recursive: true });
  }
  const stack = await startStack({
    env: {
      AF_IMPORT_DIRS: `${allFilings},${madeFilings}`,
      AF_MODELS: 'openai/stand-in',
      OPENAI_API_KEY: 'key',
      OPENAI_BASE_URL: models.openaiUrl,
    },
    egress: [`127.0.0.1:${models.port}`, `127.0.0.1:${sources.port}`],
  });
  const profiles = await prepare(stack, sources);
  const close = async (): Promise<void> => {
    try {
      await stack.close();
    } finally {
      await Promise.all([models.close(), sources.close()]);
    }
  };
  return { stack, sources, models, profiles, allFilings, madeFilings, close };
}

/** Sets up what an owner needs: keys, the three agents, and the addresses of the stand-ins. */
async function prepare({ api }: Stack, sources: HttpSource): Promise<Record<string, string>> {
  for (const [name, value] of Object.entries(AGENT_KEYS)) {
    await api.must('POST', '/secrets', { name, value, allowed_hosts: ['127.0.0.1'] });
  }
  const { items } = await api.must<{ items: { template: string }[] }>('GET', '/profiles/templates');
  const profiles: Record<string, string> = {};
  for (const { template } of items) {
    const { id } = await api.must<{ id: string }>('POST', '/profiles/from-template', { template });
    profiles[template] = id;
    await redirect(api, id, sources.url);
  }
  return profiles;
}

async function redirect(api: ProductApi, profileId: string, to: string): Promise<void> {
  const place = `/profiles/${profileId}/connectors`;
  const { items } = await api.must<{ items: { connector_id: string; connector_slug: string }[] }>('GET', place);
  for (const { connector_id, connector_slug } of items) {
    const below = PATHS[connector_slug];
    if (below === undefined) continue;
    const config_overrides = { base_url: `${to}${below}` };
    await api.must('PUT', `${place}/${connector_id}`, { config_overrides }, { 'if-match': '*' });
  }
}

export interface Finished {
  run: RunView;
  /** Step → its `data`, or its `results`. */
  rows: (step: string) => JsonObject[];
  /** Skipped steps, with the reason. */
  skipped: Record<string, unknown>;
  /** Texts of the written files, by extension. */
  file: (ending: string) => Promise<string>;
  /** Request that the reviewer saw. */
  prompt: string;
}

/** Runs a playbook of an agent to its end, with a person who approves. */
export async function runApproved(
  { api }: Stack,
  playbook: string,
  inputs: JsonObject,
  profileId: string,
): Promise<Finished> {
  const runId = await api.startRun(playbook, inputs, { profile_id: profileId });
  const asks = (view: RunView): boolean => view.status === 'waiting_approval' || isTerminal(view.status);
  const reached = await api.until(runId, asks, 'a waiting approval');
  if (isTerminal(reached.status)) throw new Error(`${playbook} ended before it asked: ${JSON.stringify(reached)}`);
  const approvalId = await api.approval(runId);
  const { prompt } = await api.must<{ prompt: string }>('GET', `/approvals/${approvalId}`);
  const decided = await api.decide(approvalId, 'approve', { instructions: 'Looked at by a person.' });
  if (decided.body['state'] !== 'counted') throw new Error(`not counted: ${JSON.stringify(decided.body)}`);
  const run = await api.done(runId);
  const outputs = run['outputs'] as Record<string, JsonObject | null>;
  const events = await api.events(runId);
  const skipped = Object.fromEntries(
    events
      .filter(({ event }) => event === 'step.skipped')
      .map(({ data }) => [(data as JsonObject)['step'], (data as JsonObject)['reason']]),
  );
  const rows = (step: string): JsonObject[] => {
    const output = outputs[step];
    return (output?.['data'] ?? output?.['results'] ?? []) as JsonObject[];
  };
  const file = async (ending: string): Promise<string> => {
    const page = await api.must<{ items: { id: string; name: string; runId?: string }[] }>('GET', '/documents');
    const found = page.items.find((item) => item.name.endsWith(ending) && item.runId === runId);
    if (found === undefined) throw new Error(`run ${runId} wrote no ${ending}`);
    const response = await fetch(`${api.url}/api/agent-factory/documents/${found.id}/download`, {
      headers: api.headers,
    });
    return response.text();
  };
  return { run, rows, skipped, file, prompt };
}
