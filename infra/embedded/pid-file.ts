import { linkSync, rmSync } from 'node:fs';
import path from 'node:path';
import { systemCode } from './errors';
import { type Home, readJsonFile, writeJsonFile } from './home';
import { isSameProcess, processMark } from './process';

/** A process that a start left a note of. The mark tells it from a later process with the same pid. */
export interface PidNote {
  pid: number;
  mark: string;
  /** Facts with which another start takes it over, such as its address. */
  details: Record<string, string>;
}

export function writePidNote(home: Home, name: string, pid: number, details: Record<string, string> = {}): void {
  writeJsonFile(fileOf(home, name), { pid, mark: processMark(pid), details } satisfies PidNote);
}

/** The noted process, if it still lives. */
export function livingProcess(home: Home, name: string): PidNote | undefined {
  const note = readNote(fileOf(home, name));
  return note && isSameProcess(note.pid, note.mark) ? note : undefined;
}

export function removePidNote(home: Home, name: string): void {
  rmSync(fileOf(home, name), { force: true });
}

/**
 * Makes this process the only one that supervises this home. Gives the living holder instead, if there is one.
 * The note is written apart and linked into place, so that nobody ever reads half of it.
 */
export function takeLock(home: Home, name: string, details: Record<string, string> = {}): PidNote | undefined {
  const file = fileOf(home, name);
  const mine = `${file}.${process.pid}`;
  writeJsonFile(mine, { pid: process.pid, mark: processMark(process.pid), details } satisfies PidNote);
  try {
    for (;;) {
      const holder = livingProcess(home, name);
      if (holder) return holder.pid === process.pid ? undefined : holder;
      rmSync(file, { force: true });
      if (tryLink(mine, file)) return undefined;
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function fileOf(home: Home, name: string): string {
  return path.join(home.run, `${name}.json`);
}

function readNote(file: string): PidNote | undefined {
  const content = readJsonFile(file);
  if (typeof content !== 'object' || content === null) return undefined;
  const { pid, mark, details } = content as Partial<PidNote>;
  if (typeof pid !== 'number' || typeof mark !== 'string') return undefined;
  return { pid, mark, details: details ?? {} };
}
