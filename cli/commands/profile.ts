import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEndpoints } from '../../infra/embedded/endpoints';
import { type Home, resolveHome } from '../../infra/embedded/home';
import { isAlive } from '../../infra/embedded/process';
import { resetHome } from '../../infra/embedded/reset';
import { stopHome } from '../../infra/embedded/stop';
import { suggestionOr } from '../../core/base/did-you-mean';
import type { Context } from '../context';
import { CliError, EXIT, type ExitCode, usageError } from '../errors';
import { up } from '../up';
import { statusText } from '../view/status-text';
import type { Register } from './command';

export const registerProfile: Register = (program, wrap) => {
  program.command('up').description('start everything on this machine and keep it running').action(wrap(up));
  program.command('stop').description('stop what runs here, in order; its data stays').action(wrap(stop));
  program.command('status').description('what runs, and where').action(wrap(status));
  program
    .command('logs')
    .description('the last lines of the logs')
    .argument('[process]', 'api, worker, profile, temporal or database; default: all')
    .option('--lines <n>', 'so many of each', '50')
    .option('--follow', 'go on as lines are written')
    .action(wrap(logs));
  program
    .command('reset')
    .description('stop what runs here and remove all of its data')
    .option('--yes', 'really')
    .action(wrap(reset));
};

async function status(context: Context): Promise<ExitCode> {
  const home = resolveHome();
  const endpoints = readEndpoints(home);
  if (!endpoints) {
    throw new CliError('not_running', `Nothing runs here (${home.root}). Start it with "npm start".`, EXIT.unreachable);
  }
  context.output.result(endpoints, statusText);
  const dead = [endpoints.api.pid, endpoints.worker.pid].some((pid) => !isAlive(pid));
  return dead ? EXIT.failed : EXIT.ok;
}

async function stop(context: Context): Promise<ExitCode> {
  const home = resolveHome();
  const stopped = await stopHome(home);
  context.output.result({ stopped }, () =>
    stopped.length === 0 ? `Nothing runs here (${home.root}).` : `Everything is stopped: ${stopped.join(', ')}.`,
  );
  return EXIT.ok;
}

async function logs(
  context: Context,
  name: string | undefined,
  options: { lines: string; follow?: boolean },
): Promise<ExitCode> {
  const home = resolveHome();
  const files = logFiles(home, name);
  const count = Number(options.lines);
  if (!Number.isInteger(count) || count < 0) throw usageError('--lines wants a whole number.');
  const shown = files.map((file) => ({ process: path.basename(file, '.log'), lines: tail(file, count) }));
  context.output.result(shown, (all) => all.map((each) => `== ${each.process}\n${each.lines.join('\n')}`).join('\n'));
  if (options.follow) await follow(files);
  return EXIT.ok;
}

function logFiles(home: Home, name: string | undefined): string[] {
  const all = existsSync(home.logs) ? readdirSync(home.logs).filter((file) => file.endsWith('.log')) : [];
  const wanted = name === undefined ? all : all.filter((file) => file === `${name}.log`);
  if (wanted.length > 0) return wanted.map((file) => path.join(home.logs, file));
  const known = all.map((file) => path.basename(file, '.log'));
  const way = suggestionOr(name ?? '', known, `There are: ${known.join(', ') || 'none yet'}.`);
  throw usageError(`There is no log${name === undefined ? '' : ` of ${name}`} in ${home.logs}. ${way}`);
}

function tail(file: string, count: number): string[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return count === 0 ? [] : lines.slice(-count);
}

async function follow(files: readonly string[]): Promise<never> {
  const sizes = new Map(files.map((file) => [file, statSync(file).size]));
  for (;;) {
    for (const file of files) sizes.set(file, printFrom(file, sizes.get(file) ?? 0));
    await sleep(300);
  }
}

/** A file that shrank was rotated: it is read from its start. */
function printFrom(file: string, from: number): number {
  const { size } = statSync(file);
  const start = size < from ? 0 : from;
  if (size === start) return size;
  const buffer = Buffer.alloc(size - start);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, buffer, 0, buffer.length, start);
  } finally {
    closeSync(descriptor);
  }
  process.stdout.write(buffer);
  return size;
}

async function reset(context: Context, options: { yes?: boolean }): Promise<ExitCode> {
  const home = resolveHome();
  const places = [...new Set([home.root, home.database])];
  if (!options.yes)
    throw usageError(
      `This removes all data in ${places.join(' and ')}. Say "af reset --yes" if that is what you want.`,
    );
  const removed = await resetHome(home);
  context.output.result(removed, ({ removed: gone, left }) =>
    [
      `Removed: ${gone.join(', ') || 'nothing'}.`,
      ...(left.length > 0 ? [`Left, since it is not ours: ${fewOf(left)}.`] : []),
    ].join('\n'),
  );
  return EXIT.ok;
}

const SHOWN_NAMES = 10;

/** AF_HOME may name a folder in which others keep thousands of files. */
function fewOf(names: readonly string[]): string {
  const more = names.length - SHOWN_NAMES;
  return `${names.slice(0, SHOWN_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
