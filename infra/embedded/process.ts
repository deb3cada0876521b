import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { embeddedError, explainDiskError, systemCode } from './errors';

export interface SpawnOptions {
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  uid?: number;
  gid?: number;
  /** Standard output and error are appended here. */
  logFile: string;
  /** Takes standard output in place of the log, and begins anew. */
  outFile?: string;
}

/**
 * Starts a program in its own process group, so that Ctrl-C in the terminal reaches us alone and we stop it in order.
 * The log is a file of the child, not a pipe through us: the child outlives a killed parent.
 */
export function spawnLogged(options: SpawnOptions): ChildProcess {
  const log = openLog(options.logFile);
  const out = options.outFile === undefined ? log : openLog(options.outFile, 'w');
  try {
    return spawn(options.command, [...options.args], {
      detached: true,
      stdio: ['ignore', out, log],
      env: options.env ?? process.env,
      cwd: options.cwd,
      uid: options.uid,
      gid: options.gid,
    });
  } finally {
    closeSync(log);
    if (out !== log) closeSync(out);
  }
}

function openLog(file: string, flags = 'a'): number {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    return openSync(file, flags, 0o640);
  } catch (error) {
    throw explainDiskError(error, file);
  }
}

/** File of a program's announcements: they are no lines of its log, and belong to this start alone. */
export function outFileOf(logFile: string): string {
  return logFile.replace(/\.log$/, '.out');
}

/** True if the process exists and is no zombie. A zombie answers signal 0 until its parent collects it. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (systemCode(error) !== 'EPERM') return false;
  }
  return statFields(pid)?.[0] !== 'Z';
}

/** A mark that differs when the system gave the same pid to another process: its start time. Empty where /proc is missing. */
export function processMark(pid: number): string {
  return statFields(pid)?.[19] ?? '';
}

/** True if this pid is still the process that had this mark. */
export function isSameProcess(pid: number, mark: string): boolean {
  return isAlive(pid) && processMark(pid) === mark;
}

/** Fields of /proc/<pid>/stat behind the program's name (which may hold spaces): state first. */
function statFields(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

export interface WaitOptions {
  what: string;
  timeoutMs: number;
  intervalMs?: number;
  /** Check between probes; a sentence ends the wait early. */
  failed?: () => string | undefined;
}

/** Repeats the probe until it gives true; a probe that throws counts as "not yet". */
export async function waitUntil(probe: () => Promise<boolean> | boolean, options: WaitOptions): Promise<void> {
  const end = Date.now() + options.timeoutMs;
  for (;;) {
    if (
      await Promise.resolve()
        .then(probe)
        .catch(() => false)
    )
      return;
    const failure = options.failed?.();
    if (failure !== undefined) throw embeddedError('start_failed', failure);
    if (Date.now() > end) {
      throw embeddedError(
        'start_timeout',
        `${options.what} did not answer within ${Math.round(options.timeoutMs / 1000)} s.`,
      );
    }
    await sleep(options.intervalMs ?? 50);
  }
}

export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (systemCode(error) !== 'ESRCH') throw error;
  }
}

/** Asks the process to end, waits, then kills it and what is left of its group. */
export async function stopProcess(pid: number, signal: NodeJS.Signals = 'SIGTERM', graceMs = 10_000): Promise<void> {
  if (!isAlive(pid)) return;
  sendSignal(pid, signal);
  if (await isGone(pid, graceMs)) return;
  killGroup(pid);
  await isGone(pid, 5_000);
}

/** SIGKILL to the group that the process leads, and to the process itself. */
export function killGroup(pid: number): void {
  if (pid <= 1) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    sendSignal(pid, 'SIGKILL');
  }
}

async function isGone(pid: number, timeoutMs: number): Promise<boolean> {
  const end = Date.now() + timeoutMs;
  while (isAlive(pid)) {
    if (Date.now() > end) return false;
    await sleep(20);
  }
  return true;
}

/** Last lines of a log, for the sentence that says why a start failed. */
export function lastLines(file: string, count = 5): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).map(sentence).join('\n');
  } catch {
    return '';
  }
}

/** The message of a line of a log. */
function sentence(line: string): string {
  if (!line.startsWith('{')) return line;
  try {
    const { msg, err } = JSON.parse(line) as { msg?: unknown; err?: { message?: unknown } };
    if (typeof msg !== 'string') return line;
    return typeof err?.message === 'string' && err.message !== msg ? `${msg}: ${err.message}` : msg;
  } catch {
    return line;
  }
}
