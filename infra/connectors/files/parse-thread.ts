import type { ParsedFeed } from '../feeds/parsed-feed';
import type { ParsedPage } from '../scraper/parsed-page';
import type { FeedJob, FileJob, PageJob } from '../types';
import { FileFault } from './file-fault';
import { parseFile } from './parse-file';
import type { ParsedFile } from './parsed-file';

/** What a thread answers: errors of classes do not travel between threads, data does. */
export type ThreadAnswer<Parsed> =
  { ok: true; parsed: Parsed } | { ok: false; code: string; message: string; place: FileFault['place'] };

/** Entry points of a parser thread. What only some jobs need is loaded with the first of them. */
export function parseInThread(job: FileJob): Promise<ThreadAnswer<ParsedFile>> {
  return answered(() => parseFile(job.endpoint, job.bytes));
}

export function pageInThread(job: PageJob): Promise<ThreadAnswer<ParsedPage>> {
  return answered(async () => (await import('../scraper/parse-page')).parsePage(job));
}

export function feedInThread(job: FeedJob): Promise<ThreadAnswer<ParsedFeed>> {
  return answered(async () => (await import('../feeds/parse-feed')).parseFeed(job));
}

async function answered<Parsed>(work: () => Promise<Parsed>): Promise<ThreadAnswer<Parsed>> {
  try {
    return { ok: true, parsed: await work() };
  } catch (error) {
    if (error instanceof FileFault) {
      return { ok: false, code: error.code, message: error.message, place: error.place };
    }
    throw error;
  }
}
