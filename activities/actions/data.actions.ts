import type { BlobStore } from '../../infra/blob/blob-store';
import type { WorkerStores } from '../stores';
import { createCrossReferenceActions } from './cross-reference.actions';
import { createJournalActions } from './journal.actions';
import { createOutputActions } from './output.actions';
import { createTransformActions } from './transform.actions';
import type { ActionTable } from './types';
import { createWorkspaceActions } from './workspace.actions';

export interface DataActionDeps {
  stores: Pick<WorkerStores, 'workspaces' | 'documents' | 'folders' | 'openRuns' | 'journal'>;
  blobs: BlobStore;
  /** Absolute path of the directory that file exports go to. */
  exportDir: string;
}

/** Actions that work on data of the platform itself: transforms, tables, documents, exports, journal. */
export function createDataActions(deps: DataActionDeps): ActionTable {
  const { workspaces, documents, folders, openRuns: runs, journal } = deps.stores;
  return {
    ...createTransformActions(),
    ...createCrossReferenceActions(),
    ...createWorkspaceActions({ workspaces }),
    ...createOutputActions({
      blobs: deps.blobs,
      exportDir: deps.exportDir,
      runs,
      workspaces,
      documents,
      folders,
    }),
    ...createJournalActions({ journal }),
  };
}
