import type { BlobStore } from '../../infra/blob/blob-store';
import type { Database } from '../../infra/db/database';
import { DocumentsStore } from '../../infra/db/stores/documents.store';
import { FoldersStore } from '../../infra/db/stores/folders.store';
import { OpenRunsStore } from '../../infra/db/stores/open-runs.store';
import { JournalStore } from '../../infra/db/stores/journal.store';
import { WorkspacesStore } from '../../infra/db/stores/workspaces.store';
import { createCrossReferenceActions } from './cross-reference.actions';
import { createJournalActions } from './journal.actions';
import { createOutputActions } from './output.actions';
import { createTransformActions } from './transform.actions';
import type { ActionTable } from './types';
import { createWorkspaceActions } from './workspace.actions';

export interface DataActionDeps {
  database: Database;
  blobs: BlobStore;
  /** Absolute path of the directory that file exports go to. */
  exportDir: string;
}

/** Actions that work on data of the platform itself: transforms, tables, documents, exports, journal. */
export function createDataActions(deps: DataActionDeps): ActionTable {
  const workspaces = new WorkspacesStore(deps.database);
  const documents = new DocumentsStore(deps.database);
  const folders = new FoldersStore(deps.database);
  return {
    ...createTransformActions(),
    ...createCrossReferenceActions(),
    ...createWorkspaceActions({ workspaces }),
    ...createOutputActions({
      blobs: deps.blobs,
      exportDir: deps.exportDir,
      runs: new OpenRunsStore(deps.database),
      workspaces,
      documents,
      folders,
    }),
    ...createJournalActions({ journal: new JournalStore(deps.database) }),
  };
}
