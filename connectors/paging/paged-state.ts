import type { Json, JsonObject } from '../../core/base/json';
import { isJsonObject } from '../../core/base/json';
import type { Pagination } from '../../core/connector/types';
import { MappedPages } from '../mapping/mapped-pages';
import { fingerprint } from './fingerprint';
import { positionFrom, type Position } from './position';
import type { StoppedBy } from './stopped-by';

/** Pages that a call has read so far. Plain JSON for a call that waits in the middle. */
export class PagedState {
  pages = 0;
  bytes = 0;
  /** Records of the first page. */
  firstCount = 0;
  /** Records of all pages, before what lies above a cap is dropped. */
  readCount = 0;
  status = 0;
  /** Last total that the source reported. */
  total: number | undefined;
  /** True when earlier pages reported another total. */
  isMoving = false;
  /** True when a page's statement on the total, or on more, could not be read. */
  isUnread = false;
  /** Notes of the pages beside their records. */
  notes: JsonObject = {};
  private readonly begun = performance.now();

  private constructor(
    public position: Position,
    readonly mapped: MappedPages,
    private readonly seen: Set<string>,
    /** Time of earlier parts. Waits are none. */
    private readonly msBefore: number,
  ) {}

  static begin(position: Position): PagedState {
    return new PagedState(position, new MappedPages(), new Set(), 0);
  }

  /** Reads a state that `toJson` wrote; undefined for any other value. */
  static resume(value: Json | undefined): PagedState | undefined {
    const position = isJsonObject(value) ? positionFrom(value['position']) : undefined;
    if (!isJsonObject(value) || position === undefined) {
      return undefined;
    }
    const seen = Array.isArray(value['seen']) ? value['seen'].map(String) : [];
    const state = new PagedState(position, MappedPages.from(value['mapped']), new Set(seen), numberOf(value['ms']));
    state.pages = numberOf(value['pages']);
    state.bytes = numberOf(value['bytes']);
    state.firstCount = numberOf(value['first_count']);
    state.readCount = numberOf(value['read_count']);
    state.status = numberOf(value['status']);
    if (typeof value['total'] === 'number') state.total = value['total'];
    state.isMoving = value['is_moving'] === true;
    state.isUnread = value['is_unread'] === true;
    if (isJsonObject(value['notes'])) state.notes = value['notes'];
    return state;
  }

  toJson(): JsonObject {
    return {
      position: { ...this.position },
      pages: this.pages,
      bytes: this.bytes,
      first_count: this.firstCount,
      read_count: this.readCount,
      status: this.status,
      ...(this.total === undefined ? {} : { total: this.total }),
      ...(this.isMoving ? { is_moving: true } : {}),
      ...(this.isUnread ? { is_unread: true } : {}),
      notes: this.notes,
      ms: Math.round(this.ms()),
      seen: [...this.seen],
      mapped: this.mapped.toJson(),
    };
  }

  /** True the second time that it is asked with an equal value. */
  wasSeen(value: Json): boolean {
    const seen = fingerprint(value);
    const known = this.seen.has(seen);
    this.seen.add(seen);
    return known;
  }

  /** The cap that ends the reading before another page. */
  reached(paging: Pagination): StoppedBy | undefined {
    if (this.mapped.records.length >= paging.max_items) return 'max_items';
    if (this.pages >= paging.max_pages) return 'max_pages';
    if (this.bytes >= paging.max_bytes) return 'max_bytes';
    return this.ms() >= paging.max_seconds * 1000 ? 'max_seconds' : undefined;
  }

  private ms(): number {
    return this.msBefore + performance.now() - this.begun;
  }
}

function numberOf(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}
