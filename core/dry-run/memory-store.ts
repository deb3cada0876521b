import { isJsonObject, type Json, type JsonObject } from '../base/json';
import { jsonSize } from '../base/json-size';
import type { LoadCommand, StoreCommand } from '../engine/commands';
import type { Loaded } from '../engine/inbox';
import { previewOf } from '../engine/preview';
import { blobsOf, type Handle, type RefValue, type StoredValue } from '../engine/values';
import { evaluateCondition, parseCondition } from '../expr/condition';
import { walkPath } from '../expr/reference';

/** Blob store of a dry run: stored values stay in memory and are dropped with it. */
export class MemoryStore {
  private readonly kept = new Map<string, Json>();

  resolve(ref: RefValue | undefined): Json | undefined {
    if (ref === undefined || ref.kind === 'undefined') return undefined;
    return ref.kind === 'value' ? ref.value : walkPath(this.load(ref.stored), ref.path);
  }

  load({ value, handles }: StoredValue): Json {
    if (handles === undefined) return value;
    const whole = handles[''];
    if (whole !== undefined) return this.read(whole);
    const fields = Object.entries(handles).map(([field, handle]) => [field, this.read(handle)] as const);
    return { ...(isJsonObject(value) ? value : {}), ...Object.fromEntries(fields) };
  }

  /** Answer to a `store` command: the results as one slice of a list. */
  store({ parts }: StoreCommand): StoredValue {
    const list = parts.map((part) => (part.kind === 'value' ? part.value : this.load(part.stored)));
    const sha256 = `kept-${this.kept.size}`;
    this.kept.set(sha256, list);
    const size = jsonSize(list);
    return { value: null, handles: { '': { parts: [{ sha256, size, kind: 'slice' }], size, count: list.length } } };
  }

  /** Answer to a `load` command. */
  loaded({ refs, condition, preview, items }: LoadCommand): Loaded {
    const parsed = condition === undefined ? undefined : parseCondition(condition);
    if (parsed !== undefined) {
      const verdict = parsed.ok && evaluateCondition(parsed.value, (ref) => this.resolve(refs[ref.text]));
      return { values: {}, verdict };
    }
    const values: JsonObject = {};
    for (const [text, ref] of Object.entries(refs)) values[text] = this.resolve(ref) ?? null;
    const loaded: Loaded = { values };
    if (preview) loaded.preview = previewOf(this.resolve(preview.value), preview.limit);
    const list = items !== undefined && 'list' in items ? (this.resolve(items.list) ?? []) : undefined;
    if (!Array.isArray(list)) return loaded;
    return { ...loaded, items: { list: list.map((value) => ({ value })), total: list.length, windows: [] } };
  }

  private read(handle: Handle): Json {
    return blobsOf(handle).flatMap((part) => {
      const value = this.kept.get(part.sha256) ?? null;
      return Array.isArray(value) ? value : [value];
    });
  }
}
