import { ask } from '../db/connector-database-fixture';

const LOOK_MS = 10;

/**
 * `database-ask.main.ts warm address`: a process of its own that asks a database connector at one address, and prints the
 * result and the largest growth of what it holds: objects, texts and buffers. The memory of the whole process would say nothing: the compiler
 * of the grammar takes some 200 MB of it at times. `warm`: an address whose answer, or refusal, is short.
 */
async function main([warm = '', address = '']: string[]): Promise<void> {
  const asked = (at: string): Promise<object> =>
    ask('select 1 as n', { address: at, endpoint: { max_bytes: 1_000_000 } }).then(
      () => ({}),
      (error: unknown) => ({ code: (error as { code?: string }).code, message: (error as Error).message }),
    );
  await asked(warm);
  global.gc?.();
  const before = heldBytes();
  let most = before;
  const look = setInterval(() => {
    global.gc?.({ type: 'minor' });
    most = Math.max(most, heldBytes());
  }, LOOK_MS);
  const outcome = await asked(address);
  clearInterval(look);
  most = Math.max(most, heldBytes());
  process.stdout.write(JSON.stringify({ ...outcome, grownBytes: most - before }));
}

function heldBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

void main(process.argv.slice(2));
