import type { FactoryProvider, Provider } from '@nestjs/common';
import type { BlobStore } from '../../infra/blob/blob-store';
import { LiveReads } from '../../connectors/call/live-reads';
import { EndpointTrials } from '../../connectors/trial/endpoint-trials';
import { Database } from '../../infra/db/database';
import { DatabaseProbe } from '../../infra/db/probe';
import { SchemaWatch } from '../../infra/db/schema-watch';
import { RunEnds } from '../../infra/db/run-ends';
import { RunFeed } from '../../infra/db/run-feed';
import { EventsStore } from '../../infra/db/stores/events.store';
import { OpenapiImporter } from '../../connectors/openapi/openapi-importer';
import { securityProviders, type Security } from '../secrets/security';
import type { BackgroundLoop, RunGateway, Welcome } from './ports';
import type { ApiSettings } from './settings';
import type { ApiStores } from './stores';
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
  stores: ApiStores;
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
    ...Object.values(deps.stores).map((store: object) => ({ provide: store.constructor, useValue: store })),
    {
      provide: RunFeed,
      useFactory: (database: Database, events: EventsStore) => new RunFeed(database, events),
      inject: [Database, EventsStore],
    },
    { provide: RunEnds, useFactory: (database: Database) => new RunEnds(database), inject: [Database] },
  ];
}
