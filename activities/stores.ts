import type { ConnectorDefinition } from '../core/connector/types';
import type { Database } from '../infra/db/database';
import { ApprovalsStore } from '../infra/db/stores/approvals.store';
import { DecisionsStore } from '../infra/db/stores/decisions.store';
import { ConnectorsStore, PlaybooksStore } from '../infra/db/stores/definitions.store';
import { DocumentsStore } from '../infra/db/stores/documents.store';
import { FoldersStore } from '../infra/db/stores/folders.store';
import { AuditStore } from '../infra/db/stores/identity/audit.store';
import { ImportDirsStore } from '../infra/db/stores/import-dirs.store';
import { JournalStore } from '../infra/db/stores/journal.store';
import { ModelCallsStore } from '../infra/db/stores/model-calls.store';
import { OpenRunsStore } from '../infra/db/stores/open-runs.store';
import { ProfileDefinitionsStore } from '../infra/db/stores/profile-definitions.store';
import { RunBindingsStore } from '../infra/db/stores/run-bindings.store';
import { RunRetryStore } from '../infra/db/stores/run-retry.store';
import { RunsStore } from '../infra/db/stores/runs.store';
import { StepHotPath } from '../infra/db/stores/step-hot-path.store';
import { StepsStore } from '../infra/db/stores/steps.store';
import { TransitionsStore } from '../infra/db/stores/transitions.store';
import { WorkspacesStore } from '../infra/db/stores/workspaces.store';

/** Stores of a worker process: each is made here, once, and passed on. */
export type WorkerStores = ReturnType<typeof openStores>;

export function openStores(database: Database) {
  return {
    approvals: new ApprovalsStore(database),
    audit: new AuditStore(database),
    connectors: new ConnectorsStore<ConnectorDefinition>(database),
    decisions: new DecisionsStore(database),
    documents: new DocumentsStore(database),
    folders: new FoldersStore(database),
    importDirs: new ImportDirsStore(database),
    journal: new JournalStore(database),
    modelCalls: new ModelCallsStore(database),
    openRuns: new OpenRunsStore(database),
    playbooks: new PlaybooksStore(database),
    profileDefinitions: new ProfileDefinitionsStore(database),
    runBindings: new RunBindingsStore(database),
    runs: new RunsStore(database),
    transitions: new TransitionsStore(database),
    workspaces: new WorkspacesStore(database),
    runRetry: new RunRetryStore(database, new StepsStore(database)),
    steps: new StepHotPath(database),
  };
}
