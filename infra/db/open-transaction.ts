import { AsyncLocalStorage } from 'node:async_hooks';

/** `error`: why the transaction was taken back; undefined: it is committed. */
export type AfterTransaction = (error: unknown) => void;

const open = new AsyncLocalStorage<AfterTransaction[]>();

/** Runs `work` as the content of a transaction that functions called from it can find. `after` collects work for its end. */
export function insideTransaction<T>(after: AfterTransaction[], work: () => Promise<T>): Promise<T> {
  return open.run(after, work);
}

/**
 * Runs work that is no SQL once the caller's transaction is over. Of a repeated transaction the last try alone counts.
 * Without a transaction it runs at once.
 */
export function afterTransaction(work: AfterTransaction): void {
  const after = open.getStore();
  if (after === undefined) work(undefined);
  else after.push(work);
}

/** Runs rare work that cannot be done earlier: it takes its own connection while the transaction waits. */
export function outsideTransaction<T>(work: () => T): T {
  return open.exit(work);
}

/**
 * Throws while a transaction of this process is open around the caller: it would hold its locks and its connection for as
 * long as `what` takes, and a second connection taken inside the first can wait for ever.
 */
export function refuseInTransaction(what: string): void {
  if (open.getStore() !== undefined) {
    throw new Error(`${what} inside an open transaction: do it before or after.`);
  }
}
