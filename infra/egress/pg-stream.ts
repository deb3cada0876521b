import type { Socket } from 'node:net';

/**
 * An open connection in the form of the `stream` option of `pg`, which connects what it is given by itself: that call
 * does nothing but say that it is done. TLS is then negotiated by `pg` on top.
 */
export function pgStream(socket: Socket): Socket {
  return Object.assign(socket, {
    connect: (): Socket => {
      process.nextTick(() => socket.emit('connect'));
      return socket;
    },
  });
}
