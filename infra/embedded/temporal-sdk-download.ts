import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { explainDiskError } from './errors';
import { runProgram } from './run-program';
import type { FetchOptions } from './temporal-wheel';

const TIMEOUT_MS = 3 * 60_000;

/** Runs apart from us: the SDK's download has no time limit, and its native part holds the process open. */
const SCRIPT = `
const { TestWorkflowEnvironment } = require('@temporalio/testing');
const executable = { type: 'cached-download', downloadDir: process.argv[1], ttl: '3650 days' };
TestWorkflowEnvironment.createLocal({ server: { executable } }).then((server) => server.teardown()).then(
  () => process.exit(0),
  (error) => { console.error(String(error && error.message || error)); process.exit(1); },
);`;

/** Lets Temporal's SDK download its development server and puts it at `target`. Gives a reason where it did not work. */
export async function downloadWithSdk(target: string, options: FetchOptions): Promise<string | undefined> {
  try {
    require.resolve('@temporalio/testing');
  } catch {
    return "Temporal's SDK for tests is not installed";
  }
  let folder: string | undefined;
  try {
    mkdirSync(path.dirname(target), { recursive: true });
    folder = mkdtempSync(path.join(path.dirname(target), 'download-'));
    const result = await runProgram(process.execPath, ['-e', SCRIPT, folder], {
      timeoutMs: TIMEOUT_MS,
      cwd: __dirname,
      ...options,
    });
    const found = readdirSync(folder).find((name) => name.startsWith('temporal'));
    if (result.code !== 0 || found === undefined) return "the download of Temporal's SDK did not work";
    chmodSync(path.join(folder, found), 0o755);
    if (!existsSync(target)) renameSync(path.join(folder, found), target);
    return undefined;
  } catch (error) {
    throw explainDiskError(error, path.dirname(target));
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}
