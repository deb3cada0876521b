import type { FileEndpoint, ScraperEndpoint } from '../../../core/connector/types';
import type { ParsedFeed } from '../../kinds/feeds/parsed-feed';
import type { ParsedPage } from '../../kinds/scraper/parsed-page';
import type { ParsedFile } from '../parsed-file';

/** Host that parses files, pages and feeds. */
export interface FileParserHost {
  /** Throws FileFault for what is wrong with the file. */
  parse(job: FileJob, signal: AbortSignal): Promise<ParsedFile>;
  /** Throws FileFault for what is wrong with the page or runs too long on it. */
  page(job: PageJob, signal: AbortSignal): Promise<ParsedPage>;
  /** Throws FileFault when it is no feed. */
  feed(job: FeedJob, signal: AbortSignal): Promise<ParsedFeed>;
  close(): Promise<void>;
}

export interface FileJob {
  endpoint: FileEndpoint;
  bytes: Uint8Array;
}

/** An answer as it came. */
interface Fetched {
  bytes: Uint8Array;
  contentType: string;
  /** Address after redirects. */
  url: string;
}

export interface PageJob extends Fetched {
  endpoint: Pick<ScraperEndpoint, 'list_selector' | 'fields' | 'follow'> & {
    /** Selector of what every right page has. */
    has?: string;
  };
}

export type FeedJob = Fetched;
