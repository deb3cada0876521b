import { AsyncLocalStorage } from 'node:async_hooks';

const open = new AsyncLocalStorage<true>();

/** Runs `work` as the content of a transaction: whatever it calls knows. */
export function insideTransaction<T>(work: () => Promise<T>): Promise<T> {
  return open.run(true, work);
}

/** For the rare work that cannot be done before: it takes a connection of its own while the transaction waits. */
export function besideTransaction<T>(work: () => T): T {
  return open.exit(work);
}

/**
 * Throws while a transaction of this process is open around the caller: it would hold its locks and its connection for as
 * long as `what` takes, and a second connection taken inside the first can wait for ever.
 */
export function refuseInTransaction(what: string): void {
  if (open.getStore() === true) {
    throw new Error(`${what} inside an open transaction: do it before or after.`);
  }
}
