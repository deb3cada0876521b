import { Injectable } from '@nestjs/common';
import { CredentialsStore } from '../../infra/db/stores/identity/credentials.store';
import { Authenticator } from '../access/authenticator';
import type { CallerInfo } from '../http/caller';

/** A stream ends within twice this time after its credential, far below 5 s. */
const EVERY_MS = 2_000;

interface Watched {
  caller: CallerInfo;
  ended: () => void;
}

/** Ends streams whose session, key or account has ended: one query for all of them, while there are any. */
@Injectable()
export class WatchedCallers {
  private readonly open = new Set<Watched>();
  private timer: NodeJS.Timeout | undefined;
  private looking = false;

  constructor(
    private readonly credentials: CredentialsStore,
    private readonly authenticator: Authenticator,
  ) {}

  /** Calls `ended` once what the caller showed does not count any more, until the returned function is called. */
  add(caller: CallerInfo, ended: () => void): () => void {
    const watched = { caller, ended };
    this.open.add(watched);
    this.timer ??= setInterval(() => void this.look(), EVERY_MS).unref();
    return () => {
      this.open.delete(watched);
      if (this.open.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    };
  }

  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      const shown = [...this.open].map((watched) => ({ watched, ...this.authenticator.shownBy(watched.caller) }));
      const ids = new Set(shown.flatMap(({ credentialId }) => credentialId ?? []));
      const gone = new Set(await this.credentials.ended([...ids]));
      if (gone.size > 0) this.authenticator.forget();
      for (const { watched, credentialId, expiresAt = Infinity } of shown) {
        if (credentialId === undefined || gone.has(credentialId) || expiresAt <= Date.now()) watched.ended();
      }
    } catch {
      // The database does not answer: reading reports that.
    } finally {
      this.looking = false;
    }
  }
}
