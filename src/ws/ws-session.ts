import { AppError } from '../../core/errors/app-error';
import type { CallerInfo } from '../http/caller';
import { problemBody } from '../http/problem-body';
import type { StreamRights } from '../events/stream-rights';
import type { WsConnection } from './ws-connection';
import { readMessage, type ClientMessage, type Subscribe } from './ws-messages';
import type { OpenSource, WsSource } from './ws-sources';

/** Subscriptions of one connection. */
const MOST_SUBSCRIPTIONS = 100;

interface Subscription {
  source?: WsSource;
  over: boolean;
}

/** Subscriptions of one client over its connection. */
export class WsSession {
  private readonly subscriptions = new Map<string, Subscription>();

  constructor(
    private readonly connection: WsConnection,
    private readonly caller: CallerInfo,
    private readonly openSource: OpenSource,
    private readonly rights: StreamRights,
  ) {
    connection.onText((text) => this.hear(text));
  }

  close(): void {
    [...this.subscriptions.keys()].forEach((id) => this.unsubscribe(id));
  }

  private hear(text: string): void {
    let message: ClientMessage;
    try {
      message = readMessage(text);
    } catch (error) {
      this.complain(error);
      return;
    }
    if (message.type === 'ping') {
      this.connection.answer({ type: 'pong' });
    } else if (message.type === 'subscribe') {
      void this.subscribe(message);
    } else {
      this.unsubscribe(message.id);
      this.connection.answer({ type: 'unsubscribed', id: message.id });
    }
  }

  private unsubscribe(id: string): void {
    const subscription = this.subscriptions.get(id);
    this.subscriptions.delete(id);
    if (subscription !== undefined) {
      subscription.over = true;
      subscription.source?.close();
    }
  }

  /** Ends with the subscription, whatever ends it. */
  private async subscribe(message: Subscribe): Promise<void> {
    const { id } = message;
    const subscription: Subscription = { over: false };
    try {
      this.admit(id);
      this.subscriptions.set(id, subscription);
      const source = await this.openSource(this.caller, message);
      subscription.source = source;
      if (subscription.over) {
        source.close();
      } else {
        await this.sendAll(id, subscription, source);
      }
    } catch (error) {
      this.complain(error, id);
    } finally {
      if (this.subscriptions.get(id) === subscription) {
        this.subscriptions.delete(id);
      }
    }
  }

  private admit(id: string): void {
    if (this.subscriptions.has(id)) {
      throw new AppError('subscription_exists', `There is a subscription "${id}". Take another id, or end it first.`, {
        category: 'conflict',
      });
    }
    if (this.subscriptions.size >= MOST_SUBSCRIPTIONS) {
      throw new AppError(
        'too_many_subscriptions',
        `A connection has at most ${MOST_SUBSCRIPTIONS} subscriptions. End some, or subscribe to "all".`,
        { category: 'rate_limited' },
      );
    }
  }

  private async sendAll(id: string, subscription: Subscription, source: WsSource): Promise<void> {
    try {
      await this.connection.send([{ type: 'subscribed', id, ...source.begin }]);
      for (let batch = await source.next(); batch !== null; batch = await source.next()) {
        if (!(await this.rights.mayStillRead(this.caller, source.runId))) {
          const message = 'You may not read this any more.';
          await this.connection.send([{ type: 'closed', id, code: 'access_revoked', message }]);
          return;
        }
        await this.connection.send(until(subscription, batch, id));
      }
      if (!subscription.over) {
        await this.connection.send([{ type: 'ended', id }]);
      }
    } finally {
      source.close();
    }
  }

  private complain(error: unknown, id?: string): void {
    const { code, detail } = problemBody(error, 'none');
    this.connection.answer({ type: 'error', ...(id === undefined ? {} : { id }), code, message: detail });
  }
}

/** Stops at `unsubscribe`. */
function* until(subscription: Subscription, batch: Iterable<object>, id: string): Generator<object> {
  for (const message of batch) {
    if (subscription.over) {
      return;
    }
    yield { type: 'event', id, ...message };
  }
}
