import { connect } from 'node:net';
import { Connection } from '@temporalio/client';

/**
 * gRPC shares its connections inside a process and waits up to two minutes before it tries a dead one again. A server
 * of ours on the same machine is back within a second, so these channels are their own and retry soon.
 */
export const FAST_RECONNECT = {
  'grpc.use_local_subchannel_pool': 1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
};

/** Runs with a connection that is closed afterwards; every call in it ends within the time. */
export async function withTemporal<Value>(
  address: string,
  deadlineMs: number,
  use: (connection: Connection) => Promise<Value>,
): Promise<Value> {
  const connection = Connection.lazy({ address, channelArgs: FAST_RECONNECT });
  try {
    return await connection.withDeadline(Date.now() + deadlineMs, () => use(connection));
  } finally {
    await connection.close();
  }
}

/** True if a Temporal server answers at this address, with its default namespace in place. */
export async function temporalAnswers(address: string): Promise<boolean> {
  if (!(await portAnswers(address))) return false;
  try {
    await withTemporal(address, 2_000, (connection) =>
      connection.workflowService.describeNamespace({ namespace: 'default' }),
    );
    return true;
  } catch {
    return false;
  }
}

function portAnswers(address: string): Promise<boolean> {
  const colon = address.lastIndexOf(':');
  return new Promise((resolve) => {
    const socket = connect({ host: address.slice(0, colon), port: Number(address.slice(colon + 1)), timeout: 1_000 });
    const end = (answers: boolean) => {
      socket.destroy();
      resolve(answers);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}
