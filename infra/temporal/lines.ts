import type { Socket } from 'node:net';

/** Calls `take` for each line; a longer one, and what `take` throws, end the connection. */
export function readLines(socket: Socket, longest: number, take: (line: string) => void): void {
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    try {
      if (rest.length > longest) throw new Error('a line is too long');
      lines.forEach(take);
    } catch (error) {
      socket.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  });
}
