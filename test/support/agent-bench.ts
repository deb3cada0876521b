import { cpSync } from 'node:fs';
import path from 'node:path';
import type { JsonObject } from '../../core/base/json';
import { isTerminal } from '../../core/base/run-status';
import { AGENT_KEYS, CONSTRUCTED, startAgentSources, type AgentSources } from './agent-sources';
import { DATA_DIR } from './data';
import type { HttpSource } from './http-source';
import { ModelServer } from './model-server';
import type { RunView } from './product-api';
import { newFolder } from './run-folder';
import { startStack, type Stack } from './stack';

/** Connector → where its address leads in the tests. */
const ADDRESSES: Record<string, [real: string, path: string]> = {
  'fec-contributions': ['https://api.open.fec.gov/v1', '/fec/v1'],
  'propublica-nonprofit': ['https://projects.propublica.org/nonprofits/api/v2', '/propublica'],
  opencorporates: ['https://api.opencorporates.com/v0.4', '/opencorporates'],
  'sec-edgar': ['https://data.sec.gov', '/sec'],
  wikidata: ['https://query.wikidata.org', '/wikidata'],
};

export interface AgentBench {
  stack: Stack;
  sources: AgentSources;
  models: ModelServer;
  /** The recorded filings and those made beside them. */
  allFilings: string;
  /** Those made alone. */
  madeFilings: string;
  close(): Promise<void>;
}

/** The whole product with the sources of the three agents and a model, all at the wire. */
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
  await prepare(stack, sources);
  const close = async (): Promise<void> => {
    await stack.close();
    await Promise.all([models.close(), sources.close()]);
  };
  return { stack, sources, models, allFilings, madeFilings, close };
}

/** What an owner does: his keys, and connectors that lead to these sources. */
async function prepare({ api }: Stack, sources: HttpSource): Promise<void> {
  for (const [name, value] of Object.entries(AGENT_KEYS)) {
    await api.must('POST', '/secrets', { name, value, allowed_hosts: ['127.0.0.1'] });
  }
  for (const [slug, [real, below]] of Object.entries(ADDRESSES)) {
    const { source } = await api.must<{ source: string }>('GET', `/connectors/${slug}`);
    if (!source.includes(`base_url: ${real}\n`)) throw new Error(`${slug} does not lead to ${real}`);
    const moved = source.replace(`base_url: ${real}\n`, `base_url: ${sources.url}${below}\n`);
    await api.must('PUT', `/connectors/${slug}`, { source: moved }, { 'if-match': '*' });
  }
}

export interface Finished {
  run: RunView;
  /** Step → its `data`, or its `results`. */
  rows: (step: string) => JsonObject[];
  /** Steps that were left out, and why. */
  skipped: Record<string, unknown>;
  /** Texts of the files that were written, by ending. */
  file: (ending: string) => Promise<string>;
  /** What the reviewer was asked. */
  prompt: string;
}

/** Runs a playbook of an agent to its end, with a person who says yes. */
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
