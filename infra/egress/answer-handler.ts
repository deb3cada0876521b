import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { badResponse, toEgressError, tooLarge } from './failure';

/** Bytes that are held until a reader comes. */
const HELD_BYTES = 64 * 1024;

export interface WireAnswer {
  status: number;
  headers: Record<string, string>;
  /** Body as it comes off the wire. */
  body: Readable;
}

interface Expected {
  host: string;
  maxBytes: number;
  onSent: () => void;
  onBytes: (() => void) | undefined;
  resolve: (answer: WireAnswer) => void;
  reject: (reason: Error) => void;
}

/** Takes one answer in. Used below `fetch`: without its layers a body can be held back, capped and ended at the wire. */
export class AnswerHandler implements Dispatcher.DispatchHandler {
  /** Set by the client that sends the request. */
  connection: { socket?: Socket } | undefined;
  private controller: Dispatcher.DispatchController | undefined;
  private body: Body | undefined;
  private headers: Record<string, string> | undefined;
  private isDone = false;
  private failure: Error | undefined;
  private bytes = 0;

  constructor(private readonly expected: Expected) {}

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.failure === undefined) {
      this.expected.onSent();
    } else {
      controller.abort(this.failure);
    }
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHeaders): void {
    if (status < 200) {
      return;
    }
    this.body = new Body(
      () => this.controller?.resume(),
      (error) => this.leave(error),
    );
    this.headers = plainHeaders(headers);
    this.expected.resolve({ status, headers: this.headers, body: this.body });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.bytes += chunk.byteLength;
    this.expected.onBytes?.();
    if (this.bytes > this.expected.maxBytes) {
      this.stop(tooLarge(this.expected.host, this.expected.maxBytes));
    } else if (this.body?.push(chunk) === false) {
      controller.pause();
    }
  }

  /**
   * The parser takes bytes after the announced end for a second answer, and then ends the connection, after
   * this method has returned. An answer with an unclear end is refused. The connection is free again one turn later
   * still: a caller that sends at once would open another one.
   */
  onResponseEnd(): void {
    this.isDone = true;
    queueMicrotask(() => setImmediate(() => this.finish()));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.isDone = true;
    const { headers, expected, controller } = this;
    const failed = { host: expected.host, sent: controller !== undefined };
    this.fail(toEgressError(error, headers === undefined ? failed : { ...failed, headers }));
  }

  /** Ends the exchange, wherever it is. */
  stop(reason: Error): void {
    this.fail(reason);
    this.abort(reason);
  }

  private finish(): void {
    if (!isParserError(this.connection?.socket?.errored)) {
      this.body?.push(null);
    } else {
      this.body?.destroy(badResponse(`The answer of ${this.expected.host} is longer than it announced.`));
    }
  }

  private fail(reason: Error): void {
    this.failure ??= reason;
    this.expected.reject(this.failure);
    this.body?.destroy(this.failure);
  }

  /** The reader has gone; a body that was not read to its end closes its connection. */
  private leave(error: Error | null): void {
    if (!this.isDone) {
      this.failure ??= error ?? new Error('the answer is not wanted any more');
      this.abort(this.failure);
    }
  }

  private abort(reason: Error): void {
    if (!this.isDone) {
      this.isDone = true;
      this.controller?.abort(reason);
    }
  }
}

/** A regular end, or a reset after it, does not harm an answer that was complete. */
function isParserError(error: Error | null | undefined): boolean {
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  return code?.startsWith('HPE_') === true || message === 'bad response';
}

type IncomingHeaders = Record<string, string | string[] | undefined>;

class Body extends Readable {
  constructor(
    private readonly onWanted: () => void,
    private readonly onLeft: (error: Error | null) => void,
  ) {
    super({ highWaterMark: HELD_BYTES });
    // A reader that comes later still gets the error; one that never comes must not end the process.
    this.on('error', () => undefined);
  }

  override _read(): void {
    this.onWanted();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.onLeft(error);
    done(error);
  }
}

function plainHeaders(headers: IncomingHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}
