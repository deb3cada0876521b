import type { FileJob } from '../types';
import { FileFault } from './file-fault';
import { parseFile } from './parse-file';
import type { ParsedFile } from './parsed-file';

/** What a thread answers: errors of classes do not travel between threads, data does. */
export type ThreadAnswer =
  { ok: true; parsed: ParsedFile } | { ok: false; code: string; message: string; place: FileFault['place'] };

/** Entry point of a parser thread. */
export function parseInThread(job: FileJob): ThreadAnswer {
  try {
    return { ok: true, parsed: parseFile(job.endpoint, job.bytes) };
  } catch (error) {
    if (error instanceof FileFault) {
      return { ok: false, code: error.code, message: error.message, place: error.place };
    }
    throw error;
  }
}
