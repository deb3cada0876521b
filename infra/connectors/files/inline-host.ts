import type { FileParserHost } from '../types';
import { parseFile } from './parse-file';

/** Parses in the caller's thread: for small files, and where no thread can be started. */
export const inlineHost: FileParserHost = {
  parse: (job) => parseFile(job.endpoint, job.bytes),
  page: async (job) => (await import('../scraper/parse-page')).parsePage(job),
  feed: async (job) => (await import('../feeds/parse-feed')).parseFeed(job),
  close: () => Promise.resolve(),
};
