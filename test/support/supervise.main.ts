import path from 'node:path';
import { startProfile } from '../../infra/embedded/profile';

/** A supervisor as a process of its own, with stand-ins for the API and the worker. Prints `up` when both run. */
async function main(): Promise<void> {
  const standIn = path.join(__dirname, 'stand-in.cjs');
  const programs = { api: [standIn, 'api'], worker: [standIn, 'worker'] };
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort());
  const profile = await startProfile({ say: (line) => console.log(line), programs, signal: stop.signal });
  stop.signal.addEventListener('abort', () => {
    void profile.stop().then(() => {
      console.log('down');
      process.exit(0);
    });
  });
  console.log(profile.joined ? 'joined' : 'up');
  if (profile.joined) process.exit(0);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
