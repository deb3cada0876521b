import '../../../infra/log/source-maps';
import type { MessagePort } from 'node:worker_threads';
import type { ParsedFeed } from '../../kinds/feeds/parsed-feed';
import type { ParsedPage } from '../../kinds/scraper/parsed-page';
import type { FeedJob, FileJob, PageJob } from './file-parser-host';
import { FileFault } from '../file-fault';
import { feedParser, pageParser } from './lazy-parsers';
import { parseFile } from '../parse-file';
import type { ParsedFile } from '../parsed-file';
import { signalStarted } from './thread-start';

/** Answer of a thread: data, since errors of classes do not travel between threads. */
export type ThreadAnswer<Parsed> =
  { ok: true; parsed: Parsed } | { ok: false; code: string; message: string; place: FileFault['place'] };

/** A job, and where the thread says that it begins with it. */
interface StepStart<Job> {
  job: Job;
  port: MessagePort;
}

/** Entry points of a parser thread. */
export function parseInThread({ job, port }: StepStart<FileJob>): Promise<ThreadAnswer<ParsedFile>> {
  signalStarted(port);
  return answer(() => parseFile(job.endpoint, job.bytes));
}

export function pageInThread({ job, port }: StepStart<PageJob>): Promise<ThreadAnswer<ParsedPage>> {
  const { parsePage } = pageParser();
  signalStarted(port);
  return answer(() => parsePage(job));
}

export function feedInThread({ job, port }: StepStart<FeedJob>): Promise<ThreadAnswer<ParsedFeed>> {
  const { parseFeed } = feedParser();
  signalStarted(port);
  return answer(() => parseFeed(job));
}

async function answer<Parsed>(work: () => Parsed | Promise<Parsed>): Promise<ThreadAnswer<Parsed>> {
  try {
    return { ok: true, parsed: await work() };
  } catch (error) {
    if (error instanceof FileFault) {
      return { ok: false, code: error.code, message: error.message, place: error.place };
    }
    throw error;
  }
}
