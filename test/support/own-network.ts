import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** Runs a script of the tests in a network of its own and gives the JSON that it prints. */
export async function inOwnNetwork<Report>(script: string): Promise<Report> {
  const child = spawn(
    'unshare',
    ['--net', process.execPath, '-r', path.resolve('test/support/ts-hook.cjs'), path.resolve(script)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await once(child, 'close');
  return JSON.parse(said) as Report;
}

/** Sends all addresses of such a network to this machine. */
export function ownEveryAddress(): void {
  for (const args of ['link set lo up', 'route add local 0.0.0.0/0 dev lo', '-6 route add local ::/0 dev lo']) {
    const { status, stderr } = spawnSync('ip', args.split(' '), { encoding: 'utf8' });
    if (status !== 0) throw new Error(`ip ${args}: ${stderr}`);
  }
}

/** Prints the result of `main`, for `inOwnNetwork`. */
export function report(main: () => Promise<unknown>): void {
  main().then(
    (value) => {
      process.stdout.write(JSON.stringify(value), () => process.exit(0));
    },
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
}
