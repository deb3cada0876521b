import type { FactoryProvider, Provider } from '@nestjs/common';
import type { BlobStore } from '../../infra/blob/blob-store';
import { LiveReads } from '../../connectors/call/live-reads';
import { EndpointTrials } from '../../connectors/trial/endpoint-trials';
import { Database } from '../../infra/db/database';
import { DatabaseProbe } from '../../infra/db/probe';
import { SchemaWatch } from '../../infra/db/schema-watch';
import { RunEnds } from '../../infra/db/run-ends';
import { RunFeed } from '../../infra/db/run-feed';
import { ApprovalActsStore } from '../../infra/db/stores/approval-acts.store';
import { ApprovalInboxStore } from '../../infra/db/stores/approval-inbox.store';
import { ApprovalLinksStore } from '../../infra/db/stores/approval-links.store';
import { ApprovalViewStore } from '../../infra/db/stores/approval-view.store';
import { ApprovalsStore } from '../../infra/db/stores/approvals.store';
import { DecisionsStore } from '../../infra/db/stores/decisions.store';
import { ConnectorBindingsStore } from '../../infra/db/stores/connector-bindings.store';
import { ConnectorCallsStore } from '../../infra/db/stores/connector-calls.store';
import { ConnectorsStore, PlaybooksStore } from '../../infra/db/stores/definitions.store';
import { DocumentsStore } from '../../infra/db/stores/documents.store';
import { EventsStore } from '../../infra/db/stores/events.store';
import { FoldersStore } from '../../infra/db/stores/folders.store';
import { ApiKeysStore } from '../../infra/db/stores/identity/api-keys.store';
import { AuditStore } from '../../infra/db/stores/identity/audit.store';
import { CredentialsStore } from '../../infra/db/stores/identity/credentials.store';
import { ImportDirsStore } from '../../infra/db/stores/import-dirs.store';
import { InvitesStore } from '../../infra/db/stores/identity/invites.store';
import { LinksStore } from '../../infra/db/stores/identity/links.store';
import { SessionsStore } from '../../infra/db/stores/identity/sessions.store';
import { UsersStore } from '../../infra/db/stores/identity/users.store';
import { JournalStore } from '../../infra/db/stores/journal.store';
import { ModelCallsStore } from '../../infra/db/stores/model-calls.store';
import { RunRetryStore } from '../../infra/db/stores/run-retry.store';
import { RunStepsStore } from '../../infra/db/stores/run-steps.store';
import { RunViewStore } from '../../infra/db/stores/run-view.store';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { SearchStore } from '../../infra/db/stores/search.store';
import { StepsStore } from '../../infra/db/stores/steps.store';
import { SystemStore } from '../../infra/db/stores/system.store';
import { WorkspacesStore } from '../../infra/db/stores/workspaces.store';
import { OpenapiImporter } from '../../connectors/openapi/openapi-importer';
import { PROFILE_STORES } from '../profiles/profiles.providers';
import { securityProviders, type Security } from '../secrets/security';
import type { BackgroundLoop, RunGateway, Welcome } from './ports';
import type { ApiSettings } from './settings';
import { BLOBS, GATEWAY, LOG, SETTINGS, WELCOME } from './tokens';

/** Log of the API: a line a request, and unexpected errors with the request id that the caller was given. */
export interface ApiLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Dependencies of the app from outside; the process entry and the tests each bring their own. */
export interface ApiDeps {
  settings: ApiSettings;
  database: Database;
  probe: DatabaseProbe;
  blobs: BlobStore;
  security: Security;
  welcome: Welcome;
  gateway: RunGateway;
  liveReads: LiveReads;
  trials: EndpointTrials;
  openapi: OpenapiImporter;
  loops: readonly BackgroundLoop[];
  log: ApiLog;
}

function store<T>(type: new (database: Database) => T): FactoryProvider<T> {
  return { provide: type, useFactory: (database: Database) => new type(database), inject: [Database] };
}

/** Classes of infra know nothing of Nest: they are made here. */
export function infraProviders(deps: ApiDeps): Provider[] {
  return [
    { provide: Database, useValue: deps.database },
    { provide: DatabaseProbe, useValue: deps.probe },
    store(SchemaWatch),
    { provide: LiveReads, useValue: deps.liveReads },
    { provide: EndpointTrials, useValue: deps.trials },
    { provide: OpenapiImporter, useValue: deps.openapi },
    { provide: GATEWAY, useValue: deps.gateway },
    { provide: BLOBS, useValue: deps.blobs },
    { provide: WELCOME, useValue: deps.welcome },
    ...securityProviders(deps.security),
    { provide: SETTINGS, useValue: deps.settings },
    { provide: LOG, useValue: deps.log },
    ...[ApprovalActsStore, ApprovalInboxStore, ApprovalLinksStore, ApprovalViewStore].map(store<object>),
    ...[ApprovalsStore, DecisionsStore, ConnectorsStore, PlaybooksStore, DocumentsStore].map(store<object>),
    ...[ApiKeysStore, AuditStore, CredentialsStore, ImportDirsStore, InvitesStore, LinksStore].map(store<object>),
    ...[SessionsStore, UsersStore].map(store<object>),
    ...[EventsStore, JournalStore, ModelCallsStore, RunStepsStore, RunViewStore, RunsStore, StepsStore].map(
      store<object>,
    ),
    ...[ConnectorBindingsStore, ConnectorCallsStore, FoldersStore, SearchStore, SystemStore, WorkspacesStore].map(
      store<object>,
    ),
    ...PROFILE_STORES.map(store<object>),
    {
      provide: RunRetryStore,
      useFactory: (database: Database, steps: StepsStore) => new RunRetryStore(database, steps),
      inject: [Database, StepsStore],
    },
    {
      provide: RunFeed,
      useFactory: (database: Database, events: EventsStore) => new RunFeed(database, events),
      inject: [Database, EventsStore],
    },
    { provide: RunEnds, useFactory: (database: Database) => new RunEnds(database), inject: [Database] },
  ];
}
