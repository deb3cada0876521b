import type { FileParserHost } from './file-parser-host';
import { feedParser, pageParser } from './lazy-parsers';
import { parseFile } from '../parse-file';

/** Parses in the caller's thread: for small files, and where no thread can be started. */
export const inlineHost: FileParserHost = {
  parse: (job) => parseFile(job.endpoint, job.bytes),
  page: (job) => Promise.resolve().then(() => pageParser().parsePage(job)),
  feed: (job) => Promise.resolve().then(() => feedParser().parseFeed(job)),
  close: () => Promise.resolve(),
};
