import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../../../core/base/json';
import { isJsonObject } from '../../../core/base/json';
import type { FieldWarning } from '../../formats/parsed-file';
import type { ParsedPage } from './parsed-page';

export type ScraperStoppedBy =
  'end' | 'max_pages' | 'max_items' | 'max_bytes' | 'repeated_page' | 'other_origin' | 'invalid_link' | 'robots';

const MAX_ITEMS = 50_000;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_WARNINGS = 20;

/** Pages of a call read so far; plain JSON, so that the call can wait and go on. */
export class PageState {
  readonly records: JsonObject[] = [];
  readonly warnings: FieldWarning[] = [];
  pages = 0;
  /** Notes of the pages on their origin. */
  notes: JsonObject = {};
  /** Origin to which links may lead: that of the first page. */
  origin: string | undefined;
  private bytes = 0;
  private readonly visited = new Set<string>();
  private readonly digests = new Set<string>();

  /** True where the address was read before. */
  begin(url: string): boolean {
    const known = this.visited.has(url);
    this.visited.add(url);
    return known;
  }

  /** Takes a page; says why no further one is read. */
  add(page: ParsedPage, bytes: number): ScraperStoppedBy | undefined {
    const digest = createHash('sha256').update(JSON.stringify(page.records)).digest('hex');
    this.pages += 1;
    this.bytes += bytes;
    if (this.pages > 1 && this.digests.has(digest)) {
      return 'repeated_page';
    }
    this.digests.add(digest);
    for (const record of page.records.slice(0, MAX_ITEMS - this.records.length)) {
      this.records.push(record);
    }
    this.warnings.push(...page.warnings.slice(0, MAX_WARNINGS - this.warnings.length));
    if (this.records.length >= MAX_ITEMS && page.next !== undefined) {
      return 'max_items';
    }
    return this.bytes >= MAX_BYTES && page.next !== undefined ? 'max_bytes' : undefined;
  }

  toJson(next: string): Json {
    return {
      next,
      pages: this.pages,
      bytes: this.bytes,
      records: this.records,
      warnings: this.warnings.map((warning) => ({ ...warning })),
      notes: this.notes,
      ...(this.origin === undefined ? {} : { origin: this.origin }),
      visited: [...this.visited].filter((url) => url !== next),
      digests: [...this.digests],
    };
  }

  /** The state that `toJson` gave, and where it goes on. */
  static from(value: Json | undefined): { state: PageState; next?: string } {
    const state = new PageState();
    if (!isJsonObject(value) || typeof value['next'] !== 'string') {
      return { state };
    }
    state.pages = Number(value['pages']);
    state.bytes = Number(value['bytes']);
    if (isJsonObject(value['notes'])) state.notes = value['notes'];
    state.origin = typeof value['origin'] === 'string' ? value['origin'] : undefined;
    state.records.push(...listOf(value['records']).filter(isJsonObject));
    state.warnings.push(...(listOf(value['warnings']) as unknown as FieldWarning[]));
    textsOf(value['visited']).forEach((url) => state.visited.add(url));
    textsOf(value['digests']).forEach((digest) => state.digests.add(digest));
    return { state, next: value['next'] };
  }
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function textsOf(value: Json | undefined): string[] {
  return listOf(value).filter((item) => typeof item === 'string');
}
