import type { Json, JsonObject } from '../../core/base/json';
import type { Pagination } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { oldestNotes } from '../runtime/cache/cache-notes';
import type { MappedPage } from '../mapping/mapped-pages';
import { SourceWait } from '../runtime/limits/source-wait';
import type { ConnectorCall, EndpointResult } from '../call/connector-call';
import { isEndSign, nextPosition, reportsMore, type Next } from './next-position';
import { PagedState } from './paged-state';
import { withCallerPaging, firstPosition, NO_PAGE_PARAMETERS, pageParametersAt, type PageParameters } from './position';
import { isTruncated, type StoppedBy } from './stopped-by';

/** One page as it was read. Nothing of it holds a secret. */
export interface PageAnswer {
  /** The whole answer, where it is JSON. */
  data: Json | undefined;
  /** Records as the source gave them. */
  records: readonly Json[];
  mapped: MappedPage;
  status: number;
  bytes: number;
  /** `Link` header. */
  link: string | undefined;
  /** Notes on the page for the result, such as the age of a cached answer. */
  notes: JsonObject;
}

export interface PageSource {
  pagination: Pagination | undefined;
  inputs: JsonObject;
  resume: ConnectorCall['resume'];
  /** Reads one page; `page` counts from 1 and is absent where there is only one. */
  read(placed: PageParameters, page?: number): Promise<PageAnswer>;
  /** A link of the page that was read last, as an address that may be asked. Throws `bad_response`. */
  follow(link: string): string;
}

/** One page, or all of them up to the first cap. A wait in the middle carries along what has been read. */
export async function readPages(source: PageSource): Promise<EndpointResult> {
  if (source.pagination === undefined) {
    const { mapped, status, notes } = await source.read(NO_PAGE_PARAMETERS);
    const state = PagedState.begin({ at: 'first' });
    state.mapped.add(mapped);
    state.notes = notes;
    return { ...resultOf(state), status };
  }
  const paging = withCallerPaging(source.pagination, source.inputs);
  const state = PagedState.resume(source.resume) ?? PagedState.begin(firstPosition(paging, source.inputs));
  const reader = new PageReader(source, paging, state);
  return reader.all();
}

class PageReader {
  /** True if records certainly remain: the source names more, or a cap cut them. */
  private isMoreKnown = false;

  constructor(
    private readonly source: PageSource,
    private readonly paging: Pagination,
    private readonly state: PagedState,
  ) {}

  async all(): Promise<EndpointResult> {
    const { state, paging } = this;
    state.wasSeen({ ...state.position });
    let stopped: StoppedBy | undefined;
    while (stopped === undefined) {
      const page = await this.readHere();
      stopped = typeof page === 'string' ? page : this.take(page);
    }
    if (state.mapped.records.length > paging.max_items) {
      state.mapped.cutTo(paging.max_items);
      stopped = 'max_items';
      this.isMoreKnown = true;
    }
    const { pages, status } = state;
    return {
      ...resultOf(state),
      status,
      pages,
      stopped_by: stopped,
      truncated: isTruncated(stopped, this.isMoreKnown),
    };
  }

  /** Takes the page at the state's position and moves on. Says why there is no further one. */
  private take(page: PageAnswer): StoppedBy | undefined {
    const { state, paging } = this;
    state.pages += 1;
    state.bytes += page.bytes;
    state.status = page.status;
    state.notes = joinNotes(state.notes, page.notes);
    if (page.records.length > 0 && state.wasSeen([...page.records])) return this.repeated(page);
    if (state.pages === 1) state.firstCount = page.records.length;
    state.readCount += page.records.length;
    state.mapped.add(page.mapped);
    const { firstCount, readCount } = state;
    const next = nextPosition(paging, state.position, { ...page, firstCount, readCount, skipped: this.skipped() });
    this.tell(next);
    if (!('position' in next)) return next.stoppedBy === 'end' ? this.end() : next.stoppedBy;
    const reached = state.reached(paging);
    if (reached !== undefined) {
      this.isMoreKnown = next.isNamed === true;
      return reached;
    }
    const { position: at } = next;
    const position = at.at === 'url' ? { at: at.at, url: this.source.follow(at.url) } : at;
    if (state.wasSeen({ ...position })) return 'repeated_cursor';
    state.position = position;
    return undefined;
  }

  /** Ends the list; the end is uncertain if the source's own statement changed or could not be read. */
  private end(): StoppedBy {
    const { isMoving, isUnread } = this.state;
    if (isMoving) return 'total_changed';
    return isUnread ? 'unreadable' : 'end';
  }

  /** A source that knows no pages sends its whole list again: only a total or a flag beside it says that there is more, never another place. */
  private repeated(page: PageAnswer): StoppedBy {
    const { firstCount, readCount } = this.state;
    const facts = { ...page, firstCount, readCount, skipped: this.skipped() };
    this.isMoreKnown = reportsMore(this.paging, facts);
    return 'repeated_page';
  }

  /** Warns of a page's statement on the list that cannot be read, or that contradicts earlier pages. */
  private tell({ warning, total, isUnread }: Next): void {
    const { state, paging } = this;
    state.isUnread ||= isUnread === true;
    const code = paging.type === 'link_header' ? 'unreadable_header' : 'unreadable_paging';
    if (warning !== undefined) state.mapped.warn({ code, message: warning });
    if (total === undefined) return;
    if (!state.isMoving && state.total !== undefined && state.total !== total) {
      const change = `went from ${state.total} to ${total} while pages were read`;
      const message = `\`${paging.total_path}\` of the answer ${change}: records may be missing or there twice.`;
      state.mapped.warn({ code, message });
      state.isMoving = true;
    }
    state.total = total;
  }

  /** Records in front of where the caller wanted to begin. */
  private skipped(): number {
    const { paging, state } = this;
    const moved = Math.max(0, paging.start - (this.source.pagination?.start ?? paging.start));
    return paging.type === 'offset' ? moved : moved * (paging.size ?? state.firstCount);
  }

  /** Treats a 404 or a web page after the last numbered page as the end, if the definition says so. */
  private async readHere(): Promise<PageAnswer | StoppedBy> {
    const { state, paging } = this;
    try {
      return await this.source.read(pageParametersAt(paging, state.position), state.pages + 1);
    } catch (error) {
      if (error instanceof SourceWait) throw error.at(state.toJson());
      if (state.pages === 0 || state.position.at !== 'number' || !(error instanceof AppError)) throw error;
      if (error.code === 'upstream_not_found') return isEndSign(paging, 'not_found') ? this.end() : 'not_found';
      if (error.details['is_html'] === true && isEndSign(paging, 'html')) return this.end();
      throw error;
    }
  }
}

function resultOf({ mapped, notes }: PagedState): EndpointResult {
  const { records } = mapped;
  return { results: records, count: records.length, ...mapped.notes(), ...notes };
}

/** Joins notes of several pages: the oldest cached page gives the age of the result. */
function joinNotes(before: JsonObject, now: JsonObject): JsonObject {
  const errors = [before['errors'], now['errors']].flatMap((list) => (Array.isArray(list) ? list : []));
  return { ...before, ...now, ...oldestNotes(before, now), ...(errors.length === 0 ? {} : { errors }) };
}
