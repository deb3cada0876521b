import type { OutgoingHttpHeaders } from 'node:http';
import type { Heartbeats } from '../runs/events/heartbeats';
import type { SseEvent, SseWriter } from '../runs/events/sse-writer';
import type { OpenStreams } from './open-streams';
import { CLOSED, type ClosedEvent } from './stream-events.dto';

/** Source of the events; null at the end. */
interface SseSource {
  next(): Promise<Iterable<SseEvent> | null>;
  close(): void;
}

export interface SseStream {
  source: SseSource;
  writer: SseWriter;
  headers: OutgoingHttpHeaders;
  /** Check before each batch and with each heartbeat. */
  mayStillRead: () => Promise<boolean>;
  /** Calls back when the credential of the reader has ended. */
  watch: (ended: () => void) => () => void;
  /** Id that the client has before the first event. */
  from?: string;
  /** Id that is sent with a heartbeat: the position after everything that was sent. Undefined while something is being sent. */
  standing?: () => string | undefined;
}

/** Sends everything until there is no more, one side leaves, or the reader may not read any more; closes both. */
export function sendEvents(stream: SseStream, streams: OpenStreams, heartbeats: Heartbeats): Promise<void> {
  const stop = new AbortController();
  stop.signal.addEventListener('abort', () => stream.source.close(), { once: true });
  stream.writer.onClose(() => stop.abort());
  return streams.run(stop, () => sendAll(stream, stop, heartbeats));
}

async function sendAll(stream: SseStream, stop: AbortController, heartbeats: Heartbeats): Promise<void> {
  const { source, writer } = stream;
  let revoked = false;
  const end = (): void => {
    revoked = true;
    source.close();
  };
  const beat = async (): Promise<void> => {
    writer.heartbeat(stream.standing?.());
    if (!(await stream.mayStillRead())) end();
  };
  // The reading side sees an outage; here it is ignored.
  const quiet = heartbeats.add(() => void beat().catch(() => undefined));
  const unwatch = stream.watch(end);
  try {
    writer.begin(stream.headers);
    if (stream.from !== undefined) {
      writer.heartbeat(stream.from);
    }
    for (let batch = await source.next(); batch !== null; batch = await source.next()) {
      if (revoked || !(await stream.mayStillRead())) {
        end();
        break;
      }
      await writer.events(batch, stop.signal);
    }
    if (revoked) {
      await writer.events([closedEvent()], stop.signal);
    }
  } catch {
    // The database is away: the client comes back with its last id and misses nothing.
  } finally {
    quiet();
    unwatch();
    source.close();
    writer.end();
  }
}

function closedEvent(): SseEvent {
  const data: ClosedEvent = { type: CLOSED, code: 'access_revoked', message: 'You may not read this any more.' };
  return { type: CLOSED, data };
}
