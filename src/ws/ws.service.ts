import { Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import { RunFeed } from '../../infra/db/run-feed';
import { AllEventsService } from '../events/all-events.service';
import { OpenStreams } from '../events/open-streams';
import { STREAM_RIGHTS, type StreamRights } from '../events/stream-rights';
import type { CallerInfo } from '../http/caller';
import { Heartbeats } from '../runs/events/heartbeats';
import type { Upgrade } from './upgrades';
import { WsConnection } from './ws-connection';
import { CLOSE, MAX_MESSAGE_BYTES } from './ws-messages';
import { WsSession } from './ws-session';
import { sourceOpener, type OpenSource } from './ws-sources';

/** The WebSockets of this process. */
@Injectable()
export class WsService {
  private readonly server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  private readonly heartbeats = new Heartbeats();
  private readonly openSource: OpenSource;

  constructor(
    runs: RunFeed,
    all: AllEventsService,
    private readonly streams: OpenStreams,
    @Inject(STREAM_RIGHTS) private readonly rights: StreamRights,
  ) {
    this.openSource = sourceOpener({ runs, all, streams });
  }

  /** Throws `too_many_streams`. */
  admit(): void {
    this.streams.admit();
  }

  /** A handshake that is wrong is answered and ended by the library. */
  accept(caller: CallerInfo, request: IncomingMessage, { socket, head, accepted }: Upgrade): void {
    this.server.handleUpgrade(request, socket, head, (made) => {
      accepted();
      void this.serve(caller, made);
    });
  }

  private async serve(caller: CallerInfo, socket: WebSocket): Promise<void> {
    const connection = new WsConnection(socket);
    const session = new WsSession(connection, caller, this.openSource, this.rights);
    const stop = new AbortController();
    stop.signal.addEventListener('abort', () => connection.close(CLOSE.goingAway), { once: true });
    const beat = async (): Promise<void> => {
      connection.beat();
      if (!(await this.rights.mayStillRead(caller, null))) {
        connection.close(CLOSE.revoked);
      }
    };
    // An outage is no reason to close: the subscriptions report it.
    const quiet = this.heartbeats.add(() => void beat().catch(() => undefined));
    const unwatch = this.rights.watch(caller, () => connection.close(CLOSE.revoked));
    try {
      await this.streams.run(stop, () => connection.closed());
    } finally {
      quiet();
      unwatch();
      session.close();
    }
  }
}
