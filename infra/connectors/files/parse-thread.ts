import type { ParsedFeed } from '../feeds/parsed-feed';
import type { ParsedPage } from '../scraper/parsed-page';
import type { FeedJob, FileJob, PageJob } from '../types';
import { FileFault } from './file-fault';
import { feedParser, pageParser } from './lazy-parsers';
import { parseFile } from './parse-file';
import type { ParsedFile } from './parsed-file';

/** What a thread answers: errors of classes do not travel between threads, data does. */
export type ThreadAnswer<Parsed> =
  { ok: true; parsed: Parsed } | { ok: false; code: string; message: string; place: FileFault['place'] };

/** Entry points of a parser thread. */
export function parseInThread(job: FileJob): Promise<ThreadAnswer<ParsedFile>> {
  return answered(() => parseFile(job.endpoint, job.bytes));
}

export function pageInThread(job: PageJob): Promise<ThreadAnswer<ParsedPage>> {
  return answered(() => pageParser().parsePage(job));
}

export function feedInThread(job: FeedJob): Promise<ThreadAnswer<ParsedFeed>> {
  return answered(() => feedParser().parseFeed(job));
}

async function answered<Parsed>(work: () => Parsed | Promise<Parsed>): Promise<ThreadAnswer<Parsed>> {
  try {
    return { ok: true, parsed: await work() };
  } catch (error) {
    if (error instanceof FileFault) {
      return { ok: false, code: error.code, message: error.message, place: error.place };
    }
    throw error;
  }
}
