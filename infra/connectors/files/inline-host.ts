import type { FileJob, FileParserHost } from '../types';
import { parseFile } from './parse-file';
import type { ParsedFile } from './parsed-file';

/** Parses in the caller's thread: for small files, and where no thread can be started. */
export const inlineHost: FileParserHost = {
  parse: (job: FileJob): Promise<ParsedFile> => Promise.resolve().then(() => parseFile(job.endpoint, job.bytes)),
  close: () => Promise.resolve(),
};
