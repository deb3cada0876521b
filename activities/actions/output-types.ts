import type { JsonObject } from '../../core/base/json';
import type { AppError } from '../../core/errors/app-error';
import type { Report } from '../../core/report/types';
import type { BlobStore } from '../../infra/blob/blob-store';
import type { Sql } from '../../infra/db/database';
import type { DocumentsStore } from '../../infra/db/stores/documents.store';
import type { OpenRunsStore } from '../../infra/db/stores/open-runs.store';
import type { FoldersStore } from '../../infra/db/stores/folders.store';
import type { WorkspacesStore } from '../../infra/db/stores/workspaces.store';
import type { ActionContext } from './types';

export interface OutputDeps {
  blobs: BlobStore;
  exportDir: string;
  runs: Pick<OpenRunsStore, 'get'>;
  documents: DocumentsStore;
  folders: FoldersStore;
  workspaces: WorkspacesStore;
}

export interface Destination {
  type: string;
  format: string;
  config: JsonObject;
  /** True or false where it could be decided before; an expression over the data otherwise. */
  condition?: boolean | string;
  /** The condition as it is written, where it was decided before. */
  written?: string;
}

/** A destination that cannot be read: it fails alone, and the report shows it at its index. */
export interface InvalidDestination {
  type: string;
  fault: AppError;
}

/** Report and destinations, read from a `route_output` step or from the playbook's `output`. */
export interface OutputJob {
  report: Report;
  destinations: (Destination | InvalidDestination)[];
  /** Texts for the placeholders of file names. */
  names: JsonObject;
  summary?: string;
}

export interface DestinationWork {
  deps: OutputDeps;
  context: ActionContext;
  job: OutputJob;
  destination: Destination;
  /** `<effect key>#<index of the destination>`. */
  effectKey: string;
}

/** The part of a destination that belongs to the transaction of the result; gives the report's details. */
export type Apply = (sql: Sql) => Promise<JsonObject>;

/**
 * Prepares everything that needs no transaction (rendering, contents into the blob store, export files) and returns the
 * rest. Throws AppError for a fault of this destination alone.
 */
export type Prepare = (work: DestinationWork) => Promise<Apply>;
