import { once } from 'node:events';
import { unlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import { isJsonObject, type Json } from '../core/base/json';
import type { RunFacts } from '../infra/db/stores/run-types';
import type { Logger } from '../infra/log/logger';
import { readLines } from '../infra/temporal/lines';
import { startWorkflow, type RunStart } from '../infra/temporal/run-start';
import { LONGEST_START, type StartAnswer } from '../infra/temporal/worker-starts';

/** Limit above the API's own waiting time. */
const CALL_MS = 5_000;
const OURS_ALONE = 0o177;

interface Starts {
  path: string;
  /** Client on the worker's own connection. */
  client: Client;
  log: Logger;
  /** Gets the facts of each run before it is started. */
  know: (run: RunFacts) => void;
  /** False: the worker takes no work. */
  running: () => boolean;
}

/**
 * Takes starts of runs from the API of this machine. Only the user who runs the worker can open the socket. Without the
 * socket the API starts runs itself.
 */
export async function serveStarts(starts: Starts): Promise<() => void> {
  const { path, log } = starts;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', (error) => log.warn({ err: error }, 'a connection for starts of runs has ended'));
    readLines(socket, LONGEST_START, (line) => {
      const asked = readStart(line);
      void answer(starts, socket, asked);
    });
  });
  try {
    await listen(server, path);
  } catch (error) {
    log.warn(
      { err: error, path },
      'runs are started without eager start: the socket of AF_START_SOCKET cannot be served',
    );
    return () => undefined;
  }
  server.on('error', (error) => log.warn({ err: error }, 'a connection for starts of runs was not taken'));
  return () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
}

interface StartRequest {
  id: number;
  start: RunStart;
}

async function answer({ client, running, know }: Starts, socket: Socket, { id, start }: StartRequest): Promise<void> {
  if (running()) know(start.run);
  const said = running() ? await tryStart(client, start) : 'failed';
  if (socket.writable) socket.write(`${JSON.stringify({ id, answer: said })}\n`);
}

function readStart(line: string): StartRequest {
  const asked = JSON.parse(line) as Json;
  if (
    !isJsonObject(asked) ||
    typeof asked['id'] !== 'number' ||
    !isJsonObject(asked['start']) ||
    !isJsonObject(asked['start']['run'])
  )
    throw new Error('not a start of a run');
  return asked as unknown as StartRequest;
}

/** Hides the error: the API tries the start itself and reports it. */
async function tryStart(client: Client, start: RunStart): Promise<StartAnswer> {
  try {
    await client.connection.withDeadline(Date.now() + CALL_MS, () => startWorkflow(client, start, true));
    return 'started';
  } catch (error) {
    return error instanceof WorkflowExecutionAlreadyStartedError ? 'already_started' : 'failed';
  }
}

/** A socket that a killed worker left is taken over; one that is served stays with its worker. */
async function listen(server: Server, path: string): Promise<void> {
  try {
    await bind(server, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || (await isServed(path))) throw error;
    unlinkSync(path);
    await bind(server, path);
  }
}

/** Creates the socket so that no other user ever has rights on it: the file exists when `listen` returns. */
async function bind(server: Server, path: string): Promise<void> {
  const before = process.umask(OURS_ALONE);
  try {
    server.listen(path);
  } finally {
    process.umask(before);
  }
  await once(server, 'listening');
}

function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const told = (served: boolean): void => {
      socket.destroy();
      resolve(served);
    };
    socket.once('connect', () => told(true));
    socket.once('error', () => told(false));
  });
}
