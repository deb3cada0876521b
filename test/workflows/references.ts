import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { TestApi } from '../api/api-fixture';
import { newFolder } from '../support/run-folder';
import type { Definitions } from './changed-fixture';

/** Client with which a row saves, changes and deletes: everything over the API, as people do. */
export interface World {
  now: Definitions;
  api: TestApi;
  /** Id of the row, for names of its own. */
  id: string;
  /** Result of `prepare`. */
  made: string;
}

/** Reference of a playbook to something outside it, and the result of a run when that changes after saving. */
export interface Reference {
  kind: string;
  /** Fields of the language that name it. */
  fields: readonly string[];
  /** Gives what the steps name, as `{made}`. */
  prepare?(world: World): Promise<string | undefined>;
  /** Steps, and further lines of the playbook; `{id}` and `{made}` are filled in. */
  playbook: string;
  /** Saved by an earlier version, which knew what the playbook names. */
  unchecked?: boolean;
  /** `start`: between saving and start; `gate`: while the run waits at the gate that stands before its steps. */
  when: 'start' | 'gate';
  change(world: World): Promise<unknown>;
  profile?(world: World): Promise<string>;
  /** Answer to the start, if the run is refused. */
  refused?: { status: number; code: string };
  /** Status of the run. */
  status?: string;
  code?: string;
  /** Names that the request of step `s` says nobody answers to. */
  unknown?: string[];
  /** End of the step `s`: code of its failure, or `ok`. */
  ends?: string;
  /** Report of its first destination. */
  written?: string;
  /** Paths that the source saw. */
  sent?: string[];
}

const call = (endpoint: string): string =>
  `{name: s, step_type: tool, action: call_connector, connector: "{id}", endpoint: ${endpoint}, on_error: stop}`;
const connector = (at: string, more = ''): string =>
  `id: "{id}"\ntype: rest_api\nconnection: {base_url: "{witness}"${more}}\nendpoints:\n  q: {method: POST, effect: keyed, path: /{id}/${at}, response_mapping: {results_path: results, fields: {ok: ok}}}\n`;

async function must(world: World, method: string, at: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await world.api.call(method, at, body, { 'if-match': '*' });
  if (answer.status >= 300) throw new Error(`${method} ${at}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** A connector of the row's own name. */
const save =
  (text: string) =>
  async (world: World): Promise<undefined> => {
    const source = text.replaceAll('{id}', world.id).replaceAll('{witness}', world.now.witness.url);
    const known = (await world.api.call('GET', `/connectors/${world.id}`)).status === 200;
    await must(world, known ? 'PUT' : 'POST', known ? `/connectors/${world.id}` : '/connectors', { source });
  };
const saveChild =
  (head: string) =>
  async (world: World): Promise<undefined> => {
    const source = `id: ${world.id}-child\nname: Child\n${head}steps: [{name: j, step_type: tool, action: query_journal, inputs: {query: x}}]\n`;
    const known = (await world.api.call('GET', `/playbooks/${world.id}-child`)).status === 200;
    await must(world, known ? 'PUT' : 'POST', `/playbooks${known ? `/${world.id}-child` : ''}`, { source });
  };
const document =
  (name: string) =>
  async (world: World): Promise<string> => {
    const answer = await fetch(`${world.api.url}/api/agent-factory/documents?name=${name}`, {
      method: 'POST',
      headers: { ...world.api.headers, 'content-type': 'application/octet-stream' },
      body: '# Before\n',
    });
    return ((await answer.json()) as { id: string }).id;
  };
const write = (destination: string): string =>
  `steps: [{name: s, step_type: tool, action: route_output, inputs: {data: [{a: 1}]}, params: {title: T, destinations: [${destination}]}, on_error: stop}]`;
const asks = (approvers: string): string =>
  `steps: [{name: s, step_type: approval, prompt: "?", timeout_minutes: 0.02, approvers: {${approvers}}}]`;
/** A profile with the row's connector, bound. */
const bound = async (world: World): Promise<string> => {
  await save(connector('first'))(world);
  const { id } = await must(world, 'POST', '/profiles', { handle: world.id, name: 'Agent' });
  const shown = await must(world, 'GET', `/connectors/${world.id}`);
  await must(world, 'POST', `/profiles/${String(id)}/connectors`, { connector: world.id });
  return `${String(id)} ${String(shown['id'])}`;
};
const rebind = (world: World, binding: object): Promise<unknown> =>
  must(world, 'PUT', `/profiles/${world.made.split(' ').join('/connectors/')}`, binding);
const profileOf = ({ made }: World): Promise<string> => Promise.resolve(made.split(' ')[0] ?? '');

export const REFERENCES: readonly Reference[] = [
  {
    kind: 'connector: another version',
    fields: ['connector', 'required_connectors'],
    prepare: save(connector('first')),
    playbook: `steps: [${call('q')}]`,
    when: 'gate',
    change: save(connector('second')),
    status: 'complete',
    sent: ['/{id}/first'],
  },
  {
    kind: 'connector: deleted',
    fields: ['connector'],
    prepare: save(connector('first')),
    playbook: `steps: [${call('q')}]`,
    when: 'start',
    change: (world) => must(world, 'DELETE', `/connectors/${world.id}`),
    refused: { status: 422, code: 'connector_not_found' },
    sent: [],
  },
  {
    kind: 'endpoint',
    fields: ['endpoint'],
    prepare: save(connector('first')),
    playbook: `steps: [${call('q')}]`,
    when: 'start',
    change: save(connector('first').replace('  q:', '  other:')),
    status: 'failed',
    ends: 'endpoint_not_found',
    sent: [],
  },
  {
    kind: 'secret',
    fields: [],
    prepare: async (world) => {
      await must(world, 'POST', '/secrets', {
        name: `${world.id}-key`,
        value: 'a value of some length',
        allowed_hosts: ['127.0.0.1'],
      });
      return save(connector('first', ', auth: {type: bearer_token, secret: {secret: "{id}-key"}}'))(world);
    },
    playbook: `steps: [${call('q')}]`,
    when: 'gate',
    change: (world) => must(world, 'DELETE', `/secrets/${world.id}-key`),
    status: 'failed',
    ends: 'secret_not_found',
    sent: [],
  },
  {
    kind: 'profile: binding switched off',
    fields: [],
    prepare: bound,
    profile: profileOf,
    playbook: `steps: [${call('q')}]`,
    when: 'gate',
    change: (world) => rebind(world, { is_enabled: false }),
    status: 'failed',
    ends: 'binding_removed',
    sent: [],
  },
  {
    kind: 'profile: binding changed',
    fields: [],
    prepare: bound,
    profile: profileOf,
    playbook: `steps: [${call('q')}]`,
    when: 'gate',
    change: (world) => rebind(world, { config_overrides: { base_url: `${world.now.witness.url}/override` } }),
    status: 'complete',
    sent: ['/override/{id}/first'],
  },
  {
    kind: 'profile: deleted',
    fields: [],
    prepare: bound,
    profile: profileOf,
    playbook: `steps: [${call('q')}]`,
    when: 'start',
    change: (world) => must(world, 'DELETE', `/profiles/${world.made.split(' ')[0] ?? ''}`),
    refused: { status: 404, code: 'profile_not_found' },
    sent: [],
  },
  {
    kind: 'action',
    fields: ['action', 'tools', 'undo'],
    playbook: 'steps: [{name: s, step_type: tool, action: of_yesterday, inputs: {x: 1}, on_error: stop}]',
    unchecked: true,
    when: 'start',
    change: () => Promise.resolve(),
    // A worker of an older or newer build may know it: a person decides.
    status: 'needs_attention',
    code: 'not_available',
  },
  {
    kind: 'contract of an action',
    fields: ['inputs', 'params'],
    playbook:
      'steps: [{name: s, step_type: tool, action: query_journal, params: {limit: many}, inputs: {query: x}, on_error: stop}]',
    unchecked: true,
    when: 'start',
    change: () => Promise.resolve(),
    status: 'failed',
    ends: 'invalid_params',
  },
  {
    kind: 'sub-playbook: deleted',
    fields: ['playbook'],
    prepare: saveChild(''),
    playbook: 'steps: [{name: s, action: run_playbook, playbook: "{id}-child", on_error: stop}]',
    when: 'gate',
    change: (world) => must(world, 'DELETE', `/playbooks/${world.id}-child`),
    status: 'failed',
    ends: 'playbook_not_found',
  },
  {
    kind: 'sub-playbook: its version',
    fields: ['version'],
    prepare: saveChild('version: "1"\n'),
    playbook: 'steps: [{name: s, action: run_playbook, playbook: "{id}-child", version: "1", on_error: stop}]',
    when: 'gate',
    change: saveChild('version: "2"\ninputs: [{name: n, type: integer, required: true}]\n'),
    status: 'complete',
    ends: 'ok',
  },
  {
    kind: 'sub-playbook: its inputs',
    fields: ['inputs'],
    prepare: saveChild('inputs: [{name: n, type: string}]\n'),
    playbook: 'steps: [{name: s, action: run_playbook, playbook: "{id}-child", inputs: {n: word}, on_error: stop}]',
    when: 'gate',
    change: saveChild('inputs: [{name: n, type: integer, required: true}]\n'),
    status: 'failed',
    ends: 'invalid_inputs',
  },
  {
    kind: 'person asked',
    fields: ['approvers', 'escalate_to', 'users'],
    prepare: async (world) => {
      const id = randomUUID();
      await world.now.stack.admin.query('insert into users (id, handle, display_name) values ($1, $2, $2)', [
        id,
        `${world.id}-ann`,
      ]);
      return id;
    },
    playbook: asks('users: ["{id}-ann"]'),
    when: 'start',
    change: (world) => must(world, 'POST', `/users/${world.made}/deactivate`),
    status: 'complete',
    unknown: ['{id}-ann'],
  },
  {
    kind: 'team asked',
    fields: ['approvers', 'teams'],
    prepare: async (world) => String((await must(world, 'POST', '/teams', { name: `${world.id} desk` }))['id']),
    playbook: asks('teams: ["{id} desk"]'),
    when: 'start',
    change: (world) => must(world, 'DELETE', `/teams/${world.made}`),
    status: 'complete',
    unknown: ['{id} desk'],
  },
  {
    kind: 'right asked',
    fields: ['approvers', 'scopes'],
    playbook: asks('scopes: ["nobody:holds"]'),
    when: 'start',
    change: () => Promise.resolve(),
    // New members with the right may decide.
    status: 'complete',
    unknown: [],
  },
  {
    kind: 'document',
    fields: ['document_id', 'document'],
    prepare: document('kept.md'),
    playbook: write('{type: append_to_existing, format: markdown, config: {document_id: "{made}"}}'),
    when: 'gate',
    change: (world) => must(world, 'DELETE', `/documents/${world.made}`),
    status: 'partial',
    written: 'document_not_found',
  },
  {
    kind: 'folder',
    fields: ['folder_id', 'folder'],
    prepare: async (world) => String((await must(world, 'POST', '/folders', { name: world.id }))['id']),
    playbook: write('{type: folder, format: markdown, config: {folder_id: "{made}", create_if_missing: false}}'),
    when: 'gate',
    change: (world) => must(world, 'DELETE', `/folders/${world.made}`),
    status: 'partial',
    written: 'folder_not_found',
  },
  {
    kind: 'table and workspace',
    fields: ['table_name', 'workspace_id'],
    playbook:
      'steps: [{name: s, step_type: tool, action: save_to_workspace, inputs: {data: [{a: 1}]}, params: {table_name: "{id}_gone", create_if_missing: false}, on_error: stop}]',
    when: 'start',
    change: () => Promise.resolve(),
    status: 'failed',
    ends: 'workspace_table_not_found',
  },
  {
    kind: 'root of exports',
    fields: ['destinations', 'save_to'],
    playbook: write('{type: file_export, format: json}'),
    when: 'gate',
    change: ({ now }) => {
      const root = path.join(now.stack.config.home, 'exports');
      rmSync(root, { recursive: true, force: true });
      writeFileSync(root, 'a file where the directory was');
      return Promise.resolve();
    },
    status: 'partial',
    written: 'export_failed',
  },
  {
    kind: 'directory of imports',
    fields: ['inputs'],
    prepare: async (world) => {
      const directory = path.join(newFolder('granted'), 'files');
      mkdirSync(directory);
      writeFileSync(path.join(directory, 'a.csv'), 'a\n1\n');
      await must(world, 'POST', '/settings/import-dirs', { path: directory });
      await save(
        'id: "{id}"\ntype: file_parser\nconnection: {source: [directory], accepted_formats: [csv]}\nendpoints:\n  q: {parser: csv, fields: [{field: a, column: a}]}\n',
      )(world);
      return directory;
    },
    playbook: `steps: [${call('q').replace('on_error', 'inputs: {directory: "{made}"}, on_error')}]`,
    when: 'gate',
    change: (world) => must(world, 'POST', '/settings/import-dirs/revoke', { path: world.made }),
    status: 'failed',
    ends: 'directory_not_allowed',
  },
  {
    kind: 'model',
    fields: ['model'],
    playbook:
      'steps: [{name: s, step_type: llm_task, action: llm_analyze, inputs: {x: 1}, params: {instructions: hi, model: openai/of-yesterday}, output_schema: {type: object, fields: [{name: t, type: string}]}, on_error: stop}]',
    when: 'start',
    change: () => Promise.resolve(),
    status: 'failed',
    ends: 'model_not_configured',
  },
  {
    kind: 'template of the output',
    fields: ['template'],
    playbook:
      'steps: [{name: s, step_type: tool, action: query_journal, inputs: {query: x}}]\noutput: {template: of-yesterday, sections: [{title: S, source: s.entries}]}',
    when: 'start',
    change: () => Promise.resolve(),
    status: 'complete',
    ends: 'ok',
  },
];
