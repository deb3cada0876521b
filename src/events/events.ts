import type { FactoryProvider, Provider } from '@nestjs/common';
import { Database } from '../../infra/db/database';
import { EventFeed } from '../../infra/db/event-feed';
import { OwnerEventsStore } from '../../infra/db/stores/owner-events.store';
import { ReadingRightsStore } from '../../infra/db/stores/reading-rights.store';
import { AllEventsController } from './all-events.controller';
import { AllEventsService } from './all-events.service';
import { OpenStreams } from './open-streams';
import { DatabaseStreamRights, STREAM_RIGHTS } from './stream-rights';
import { WatchedCallers } from './watched-callers';

function ofDatabase<T>(type: { new (...args: never[]): T }, make: (database: Database) => T): FactoryProvider<T> {
  return { provide: type, useFactory: make, inject: [Database] };
}

export const EVENT_CONTROLLERS = [AllEventsController];

/** Services of the streams of all resources. */
export const EVENT_SERVICES: Provider[] = [
  ofDatabase(EventFeed, (database) => new EventFeed(database, new OwnerEventsStore(database))),
  ofDatabase(ReadingRightsStore, (database) => new ReadingRightsStore(database)),
  { provide: STREAM_RIGHTS, useClass: DatabaseStreamRights },
  WatchedCallers,
  OpenStreams,
  AllEventsService,
];
