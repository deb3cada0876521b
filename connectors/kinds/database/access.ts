import type { Socket } from 'node:net';

/** Opens checked sockets: the way out for what is no HTTP. Throws AppError `egress_denied`. */
export type OpenSocket = (request: {
  host: string;
  port: number;
  /** Time for look-up and connection. */
  timeoutMs: number;
  signal: AbortSignal;
}) => Promise<Socket>;

/** Access to databases of others. */
export interface DatabaseAccess {
  open: OpenSocket;
  /** Number of the cluster that holds our own data: no connector reads there, whatever address leads to it. */
  ownSystem: () => Promise<string | undefined>;
}
