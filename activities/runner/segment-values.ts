import type { Json } from '../../core/base/json';
import { largeParts } from '../../core/base/shared-json';
import type { Handle, PartsHandle } from '../../core/engine/values';
import { MOST_PARTS, SharedParts, type StoredParts } from './shared-parts';
import type { Values } from './values';

/** Bytes of JSON that a segment keeps in memory beside what its steps work on. */
const KEPT_BYTES = 16 * 1024 * 1024;

/**
 * Large results of a segment's steps. A step that adds a field to a document passes the rest of it on: what is the same by
 * reference is stored once, and the next step finds the document where the last one left it.
 */
export class SegmentValues {
  private readonly parts = new RecentParts();
  private readonly shared: SharedParts;
  private readonly kept = new Map<Handle, Json>();
  private bytes = 0;

  constructor(private readonly values: Values) {
    this.shared = new SharedParts(values, this.parts);
  }

  /** Throws `payload_too_large`. */
  async put(value: Json): Promise<Handle> {
    const parts = new Set(largeParts(value));
    const handle = parts.size > MOST_PARTS ? await this.values.put(value) : await this.shared.put(value, parts);
    this.keep(handle, value);
    return handle;
  }

  /** A value that was put, as long as it is kept. */
  get(handle: Handle): Json | undefined {
    return this.kept.get(handle);
  }

  private keep(handle: Handle, value: Json): void {
    this.kept.set(handle, value);
    this.bytes += handle.size;
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= KEPT_BYTES) return;
      this.kept.delete(oldest);
      this.bytes -= oldest.size;
    }
  }
}

/** Parts known by reference, as long as they are in use. Equal texts are no references, and are stored again. */
class RecentParts implements StoredParts {
  private readonly known = new WeakMap<object, Promise<PartsHandle>>();

  get(part: Json): Promise<PartsHandle> | undefined {
    return typeof part === 'object' && part !== null ? this.known.get(part) : undefined;
  }

  set(part: Json, storing: Promise<PartsHandle>): void {
    if (typeof part === 'object' && part !== null) this.known.set(part, storing);
  }
}
