import { shorten } from '../../../core/base/shorten';
import type { JsonObject } from '../../../core/base/json';
import type { ScraperConnector } from '../../../core/connector/types';
import { AppError } from '../../../core/errors/app-error';
import type { EgressResponse } from '../../../infra/egress/types';
import type { BuiltRequest } from '../../http/signed-request';
import { cacheNotes, oldestNotes } from '../../runtime/cache/cache-notes';
import { FileFault } from '../../formats/file-fault';
import { readingRequest } from '../../http/build-request';
import { HttpSender } from '../../http/http-sender';
import { withoutSecret } from '../../paging/next-url';
import { mapRecords } from '../../mapping/map-flat-records';
import { excerptOf, requireSuccess } from '../../http/answer-status';
import { SourceWait } from '../../runtime/limits/source-wait';
import type { ConnectorCall, EndpointResult } from '../../call/connector-call';
import { PageState } from './page-state';
import type { ScraperStoppedBy } from './page-state';
import type { ParsedPage } from './parsed-page';
import { robotsDisallowed, RobotsGate } from './robots-gate';
import { isUnexpectedAnswer } from '../../mapping/unexpected-answer';
import { unseenFields } from './unseen-fields';
import { sentence } from '../../../core/base/sentence';

const ACCEPT = 'text/html, application/xhtml+xml;q=0.9, */*;q=0.5';
const PAGE_TYPE = /^$|^text\/|html|xml/i;
/** Faults of the definition, not of the page. */
const OURS = new Set(['selector_failed', 'xpath_failed']);
/** robots.txt is no tenant's: it is asked for without credentials and kept for the whole process. */
const ROBOTS = new RobotsGate();

type ScraperCall = ConnectorCall<ScraperConnector>;

/** Reads the pages of one endpoint: the first, and those that `follow` leads to on the same origin. */
export async function callWebScraper(call: ScraperCall): Promise<EndpointResult> {
  const { connector, endpoint, inputs } = call;
  const { connection } = connector;
  const sender = await HttpSender.open(call, { connection, endpoint: { ...endpoint, effect: 'none' } });
  return new Crawl(call, sender).run(readingRequest(connection, endpoint, { inputs, accept: ACCEPT }));
}

class Crawl {
  private status = 0;
  private state = new PageState();

  constructor(
    private readonly call: ScraperCall,
    private readonly sender: HttpSender,
  ) {}

  async run(first: BuiltRequest): Promise<EndpointResult> {
    const resumed = PageState.from(this.call.resume);
    this.state = resumed.state;
    let next: string | undefined = resumed.next ?? first.url;
    let stoppedBy: ScraperStoppedBy | undefined;
    while (next !== undefined && stoppedBy === undefined) {
      const url: string = next;
      stoppedBy = await this.refusal(url);
      if (stoppedBy === undefined) {
        const page = await this.page({ ...first, url });
        stoppedBy = this.state.add(page.parsed, page.bytes) ?? this.limit(page.parsed);
        next = page.parsed.next === undefined ? undefined : this.bare(page.parsed.next);
      }
    }
    return this.result(stoppedBy ?? 'end');
  }

  /** Reason why a linked address is not read. The first address fails instead. */
  private async refusal(url: string): Promise<ScraperStoppedBy | undefined> {
    if (!URL.canParse(url) || !/^https?:/i.test(url)) {
      return 'invalid_link';
    }
    if (this.state.origin !== undefined && new URL(url).origin !== this.state.origin) {
      return 'other_origin';
    }
    if (this.state.begin(url)) {
      return 'repeated_page';
    }
    if (await this.waiting(url, () => this.robotsAllow(new URL(url)))) {
      return undefined;
    }
    if (this.state.pages === 0) {
      throw robotsDisallowed(new URL(url));
    }
    return 'robots';
  }

  private robotsAllow(url: URL): Promise<boolean> {
    return ROBOTS.allows(url, this.call);
  }

  private bare(address: string): string {
    const url = URL.parse(address);
    if (url === null) return address;
    withoutSecret(url, this.sender.secretParam);
    return url.href;
  }

  private limit(page: ParsedPage): ScraperStoppedBy | undefined {
    const most = this.call.endpoint.follow?.max_pages ?? 1;
    return page.next !== undefined && this.state.pages >= most ? 'max_pages' : undefined;
  }

  private async page(request: BuiltRequest): Promise<{ parsed: ParsedPage; bytes: number }> {
    const exchanged = await this.waiting(request.url, () => this.sender.send(request, this.state.pages + 1));
    const { response } = exchanged;
    const { mask } = this.call;
    requireSuccess(response, mask);
    const from = new URL(response.url);
    if (from.href !== request.url && !(await this.robotsAllow(from))) {
      throw robotsDisallowed(from);
    }
    // A credential stays where it was sent; without one, the origin that the first page was found at is as good.
    this.state.origin ??= (this.sender.keyless ? from : new URL(request.url)).origin;
    this.status = response.status;
    const parsed = await this.parsed(response);
    const { list_selector: list, fields } = this.call.endpoint;
    const unseen = new Set(unseenFields(fields, parsed.records));
    // A list of elements may be empty on the right page.
    if (
      list === undefined &&
      isUnexpectedAnswer(
        fields,
        (field) => !unseen.has(field),
        ({ multiple }) => !multiple,
      )
    ) {
      throw this.badResponse(response, 'none of the fields is on the page', 'other_page');
    }
    await exchanged.readable(parsed.records.length);
    this.state.notes = oldestNotes(this.state.notes, cacheNotes(exchanged));
    return {
      parsed: { ...parsed, records: parsed.records.map((record) => mask.json(record) as JsonObject) },
      bytes: response.body.byteLength,
    };
  }

  private async parsed(response: EgressResponse): Promise<ParsedPage> {
    const contentType = response.headers['content-type'] ?? '';
    if (response.body.byteLength === 0 || !PAGE_TYPE.test(contentType.split(';', 1)[0]?.trim() ?? '')) {
      throw this.badResponse(
        response,
        response.body.byteLength === 0 ? 'it is empty' : `it is ${contentType}, no page`,
      );
    }
    const { list_selector: list, fields, follow, response_mapping: mapping } = this.call.endpoint;
    const endpoint = {
      ...(list === undefined ? {} : { list_selector: list }),
      fields,
      ...(follow === undefined ? {} : { follow }),
      ...(mapping?.has === undefined ? {} : { has: mapping.has }),
    };
    try {
      return await this.call.services.files.page(
        { bytes: response.body, contentType, url: response.url, endpoint },
        this.call.signal,
      );
    } catch (error) {
      if (!(error instanceof FileFault)) {
        throw error;
      }
      throw OURS.has(error.code)
        ? new AppError(error.code, error.message, { category: 'bad_request' })
        : this.badResponse(response, error.message, error.code);
    }
  }

  /** A wait for the source takes along what was read. */
  private async waiting<T>(url: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof SourceWait ? error.at(this.state.toJson(url)) : error;
    }
  }

  private badResponse(response: EgressResponse, reason: string, cause?: string): AppError {
    const { mask } = this.call;
    return new AppError(
      'bad_response',
      `The answer of ${new URL(response.url).host} cannot be used: ${sentence(shorten(mask.text(reason), 300))}`,
      {
        category: 'upstream',
        details: {
          status: response.status,
          excerpt: excerptOf(response, mask),
          ...(cause === undefined ? {} : { cause }),
        },
      },
    );
  }

  private result(stoppedBy: ScraperStoppedBy): EndpointResult {
    const { records, warnings, notes } = mapRecords(this.call.endpoint.response_mapping, this.state.records);
    return {
      results: records,
      count: records.length,
      status: this.status,
      pages: this.state.pages,
      stopped_by: stoppedBy,
      // A link back into the list, or one that only a script follows: whether this is its end is unknown.
      truncated: ['repeated_page', 'invalid_link'].includes(stoppedBy) ? 'unknown' : stoppedBy !== 'end',
      warnings: [...this.state.warnings.map((warning) => ({ ...warning })), ...warnings],
      ...this.state.notes,
      ...notes,
    };
  }
}
