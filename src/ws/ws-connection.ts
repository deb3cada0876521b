import type { RawData, WebSocket } from 'ws';
import { CLOSE, type Close } from './ws-messages';

export interface WsLimits {
  /** Bytes that may wait for a client before nothing more is sent to it. */
  waiting: number;
  /** Time after which a client that has not read waiting messages is closed. */
  slowMs: number;
  /** Time between asking to close and ending the connection of a client that does not answer. */
  closeMs: number;
  /** Messages of a client at once, and in each second from then on. */
  burst: number;
  perSecond: number;
}

export const LIMITS: WsLimits = { waiting: 65_536, slowMs: 30_000, closeMs: 2_000, burst: 200, perSecond: 20 };

/** One WebSocket: sends no faster than its client reads, and ends for a reason that the client is told. */
export class WsConnection {
  private turn: Promise<void> = Promise.resolve();
  private alive = true;
  private allowance: number;
  private countedAt = performance.now();

  constructor(
    private readonly socket: WebSocket,
    private readonly limits: WsLimits = LIMITS,
  ) {
    this.allowance = limits.burst;
    // An error also closes the connection.
    socket.on('error', () => undefined);
    socket.on('pong', () => {
      this.alive = true;
    });
  }

  get open(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  onText(listener: (text: string) => void): void {
    this.socket.on('message', (data: RawData, binary: boolean) => {
      if (!this.open) {
        return;
      }
      if (binary) {
        this.close(CLOSE.onlyText);
      } else if (!this.mayTalk()) {
        this.close(CLOSE.tooManyMessages);
      } else {
        this.alive = true;
        listener(textOf(data));
      }
    });
  }

  /** Resolves when the connection is gone. */
  closed(): Promise<void> {
    return new Promise((resolve) => {
      if (this.socket.readyState === this.socket.CLOSED) {
        resolve();
      }
      this.socket.once('close', () => resolve());
    });
  }

  /** A short answer, not part of a batch. Bounded by the number of messages that a client may send. */
  answer(message: object): void {
    if (this.open) {
      this.socket.send(JSON.stringify(message));
    }
  }

  /** Sends batches one after the other, for all subscriptions. Resolves when the client has room again, or is gone. */
  send(messages: Iterable<object>): Promise<void> {
    this.turn = this.turn.then(() => this.batch(messages));
    return this.turn;
  }

  /** Asks whether the client lives; one that did not answer the last time is closed. */
  beat(): void {
    if (!this.alive) {
      this.close(CLOSE.silent);
    } else if (this.open) {
      this.alive = false;
      this.socket.ping();
    }
  }

  close({ code, reason }: Close): void {
    if (this.open) {
      this.socket.close(code, reason);
      const timer = setTimeout(() => this.socket.terminate(), this.limits.closeMs);
      this.socket.once('close', () => clearTimeout(timer));
    }
  }

  private async batch(messages: Iterable<object>): Promise<void> {
    for (const message of messages) {
      if (!this.open) {
        return;
      }
      const sent = this.write(JSON.stringify(message));
      if (this.socket.bufferedAmount > this.limits.waiting) {
        await this.closeIfSlow(sent);
      }
    }
  }

  private write(text: string): Promise<void> {
    return new Promise((resolve) => this.socket.send(text, () => resolve()));
  }

  private async closeIfSlow(sent: Promise<void>): Promise<void> {
    const timer = setTimeout(() => this.close(CLOSE.slow), this.limits.slowMs);
    await sent;
    clearTimeout(timer);
  }

  private mayTalk(): boolean {
    const now = performance.now();
    const gained = ((now - this.countedAt) / 1_000) * this.limits.perSecond;
    this.countedAt = now;
    this.allowance = Math.min(this.limits.burst, this.allowance + gained) - 1;
    return this.allowance >= 0;
  }
}

function textOf(data: RawData): string {
  return (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer)).toString();
}
