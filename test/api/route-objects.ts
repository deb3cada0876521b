import { randomUUID } from 'node:crypto';
import { owner } from '../../infra/db/database';
import { JournalStore } from '../../infra/db/stores/journal.store';
import { StepHotPath } from '../../infra/db/stores/step-hot-path.store';
import { WorkspacesStore } from '../../infra/db/stores/workspaces.store';
import { saveRows } from '../../infra/workspace/save-rows';
import { newProfile } from './profile-objects';
import { CONNECTOR, made, newRun, slug, type Body, type BodyId, type Factory } from './walk-objects';

/** Objects and bodies of lists, details and folders for the walk through all routes. */
/** A step that a worker has carried out. */
const recordedStep: Factory = async ({ api }, { runId = '' }) => {
  const step_path = 'sort_rows';
  const record = { effect_key: `${runId}/${step_path}`, try_no: 1, step_path, step_name: step_path };
  await new StepHotPath(api.database).step(runId, {
    record: {
      ...record,
      action: 'transform_data',
      status: 'ok',
      input: { inputs: {} },
      output: { value: { data: [] } },
      started_at: new Date().toISOString(),
    },
  });
  return step_path;
};

/** The workspace with one table, `walked`. */
const workspace: Factory = async ({ api, ownerId }) => {
  const key = { fields: [], onConflict: 'update' as const };
  const rows = [{ a: 1 }];
  const request = { ownerId, table: 'walked', rows, createIfMissing: true, key, runId: null, step: 's' };
  const store = new WorkspacesStore(api.database);
  const saved = await api.database.tx(owner(ownerId), (sql) =>
    saveRows({ sql, store }, { ...request, workspace: slug() }),
  );
  return saved.workspace_id;
};

/** Address of nobody, so a test of it reports that nothing answered. */
const UNREACHED = (id: string): string => CONNECTOR(id).replace('example.org', 'walked.invalid');

export const unreachedConnector: Factory = ({ call }) => made(call, '/connectors', { source: UNREACHED(slug()) });

/** Says of a secret where it goes; nothing has to be stored for that. */
export const keyedConnector: Factory = ({ call }) =>
  made(call, '/connectors', {
    source: UNREACHED(slug()).replace(
      'walked.invalid}',
      'walked.invalid, auth: {type: bearer_token, secret: {secret: walked_key}}}',
    ),
  });

const folder: Factory = ({ call }) => made(call, '/folders', { name: slug() });

export const ROUTE_FACTORIES: Record<string, Factory> = {
  'folders/{folderId}': folder,
  'journal/{entryId}': async ({ api, ownerId }) =>
    (await new JournalStore(api.database).note(ownerId, { summary: 'walked' })).id,
  'versions/{version}': async () => '1',
  'steps/{path}': recordedStep,
  'workspaces/{id}': workspace,
  'from-template/{templateId}': async () => 'irs-990-xml',
  'tables/{table}': async () => 'walked',
};

export const ROUTE_BODIES: Record<string, Body> = {
  'POST /connectors/validate': () => ({ source: 'id: walked' }),
  'POST /connectors/test': () => ({ source: UNREACHED(slug()), endpoint: 'all' }),
  'POST /connectors/{id}/confirm': () => ({ origins: ['https://walked.invalid'] }),
  'POST /connectors/{id}/test': () => ({ endpoint: 'all' }),
  'POST /connectors/from-openapi': () => ({ source: { openapi: '3.1.0', paths: { '/a': { get: {} } } } }),
  'POST /connectors/from-sample': () => ({ sample: '[{"a": 1}]' }),
  'POST /connectors/from-template': () => ({ template: 'irs-990-xml', id: slug() }),
  'POST /connectors/from-template/{templateId}': () => ({ id: slug() }),
  'POST /folders': () => ({ name: slug() }),
  'PATCH /folders/{folderId}': () => ({ name: slug() }),
  'PATCH /documents/{documentId}': () => ({ name: `${slug()}.txt` }),
  'POST /playbooks/{id}/test': () => ({ inputs: { rows: [] } }),
  'POST /runs/bulk': async (maker, params) => ({ action: 'pause', ids: [await newRun(maker, params)] }),
  // Each item has an answer of its own: what becomes of one is tested with the inbox.
  'POST /approvals/bulk': () => ({
    items: [{ approvalId: randomUUID(), decisionId: randomUUID(), decision: 'approve', digest: 'd'.repeat(64) }],
  }),
  'POST /approvals/{approvalId}/check': () => ({ digest: 'd'.repeat(64) }),
};

export const ROUTE_QUERIES: Record<string, Factory> = {
  'GET /search': async () => '?q=walk',
  // Compares two versions: a single one has no earlier version.
  'GET /playbooks/{id}/diff': async () => '?from=1&to=1',
};

export const ROUTE_TEXT = ['GET /workspaces/{id}/tables/{table}/export'];

export const ROUTE_BODY_IDS: Record<string, BodyId | 'own' | 'form'> = {
  // A body that is no JSON: see uploads.test.ts.
  'UploadFormDto.folder': 'form',
  'NewFolderDto.parent_id': { foreign: folder, route: 'POST /folders', status: 404 },
  'ChangeFolderDto.parent_id': { foreign: folder, route: 'PATCH /folders/{folderId}', status: 404 },
  'ChangeDocumentDto.folder_id': { foreign: folder, route: 'PATCH /documents/{documentId}', status: 404 },
  // Version of the playbook that the path names.
  'TestPlaybookDto.version': 'own',
  'BulkRunsDto.ids': {
    foreign: newRun,
    route: 'POST /runs/bulk',
    status: 404,
    naming: (body, id) => ({ ...body, ids: [id] }),
    each: true,
  },
  'TestSavedDto.profile_id': { foreign: newProfile, route: 'POST /connectors/{id}/test', status: 404 },
};
