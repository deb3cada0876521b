import type { Provider } from '@nestjs/common';
import { Database } from '../../infra/db/database';
import { EventFeed } from '../../infra/db/event-feed';
import { OwnerEventsStore } from '../../infra/db/stores/owner-events.store';
import { AllEventsController } from './all-events.controller';
import { AllEventsService } from './all-events.service';
import { OpenStreams } from './open-streams';
import { DatabaseStreamRights, STREAM_RIGHTS } from './stream-rights';
import { WatchedCallers } from './watched-callers';

export const EVENT_CONTROLLERS = [AllEventsController];

/** Services of the streams of all resources. */
export const EVENT_SERVICES: Provider[] = [
  {
    provide: EventFeed,
    useFactory: (database: Database, events: OwnerEventsStore) => new EventFeed(database, events),
    inject: [Database, OwnerEventsStore],
  },
  { provide: STREAM_RIGHTS, useClass: DatabaseStreamRights },
  WatchedCallers,
  OpenStreams,
  AllEventsService,
];
