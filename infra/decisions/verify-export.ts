import { isJsonObject, ownField, type Json, type JsonObject } from '../../core/base/json';
import { isSignedBy } from '../crypto/signing';
import { chainHash, GENESIS } from './chain';
import { headText } from './head-text';

export interface VerifyOptions {
  /** The keys that heads may be signed with, in base64url; without any, every key of the file is believed. */
  publicKeys?: readonly string[] | undefined;
  /** A head that was noted elsewhere. */
  seen?: { no: number; hash: string } | undefined;
}

export interface VerifiedExport {
  owner_id: string;
  entries: number;
  /** Hash of the last entry. */
  hash: string;
  signed_at: string;
  public_keys: string[];
}

export interface ExportFault {
  /** Line of the file, from 1; absent if something is missing. */
  line?: number;
  code:
    | 'unreadable_line'
    | 'entry_changed'
    | 'entry_out_of_place'
    | 'head_invalid'
    | 'head_mismatch'
    | 'not_signed'
    | 'truncated'
    | 'unknown_signer'
    | 'seen_head_missing';
  message: string;
}

/** Checks an export line by line, keeping only hashes. */
export class ExportVerifier {
  private ownerId: string | undefined;
  private readonly hashes: string[] = [GENESIS];
  private readonly signers = new Set<string>();
  private lineNo = 0;
  private newest: { no: number; signed_at: string } | undefined;
  private fault: ExportFault | undefined;

  constructor(private readonly options: VerifyOptions = {}) {}

  /** Reads nothing more after the first fault. */
  take(text: string): void {
    this.lineNo += 1;
    if (this.fault !== undefined || text.trim() === '') return;
    this.fault = this.check(parse(text));
  }

  finish(): { ok: true; verified: VerifiedExport } | { ok: false; fault: ExportFault } {
    const fault = this.fault ?? this.missing();
    if (fault !== undefined) return { ok: false, fault };
    const verified = {
      owner_id: this.ownerId ?? '',
      entries: this.count,
      hash: this.hashes[this.count] ?? '',
      signed_at: this.newest?.signed_at ?? '',
      public_keys: [...this.signers],
    };
    return { ok: true, verified };
  }

  private get count(): number {
    return this.hashes.length - 1;
  }

  private check(line: JsonObject | undefined): ExportFault | undefined {
    const kind = line === undefined ? undefined : ownField(line, 'kind');
    if (line !== undefined && kind === 'export' && this.ownerId === undefined) return this.takeStart(line);
    if (line !== undefined && kind === 'entry' && this.ownerId !== undefined) return this.takeEntry(line);
    if (line !== undefined && kind === 'head' && this.ownerId !== undefined) return this.takeHead(line);
    return this.faultHere('unreadable_line', 'Expected one `export` line, then `entry` lines, then `head` lines.');
  }

  private takeStart(line: JsonObject): ExportFault | undefined {
    const ownerId = ownField(line, 'owner_id');
    if (ownField(line, 'format') !== 1 || typeof ownerId !== 'string')
      return this.faultHere('unreadable_line', 'This is no export of format 1.');
    this.ownerId = ownerId;
    return undefined;
  }

  private takeEntry(line: JsonObject): ExportFault | undefined {
    const { no, entry, prev_hash, hash } = Object.assign(Object.create(null), line) as Record<string, Json | undefined>;
    if (typeof entry !== 'string' || typeof hash !== 'string')
      return this.faultHere('unreadable_line', 'An entry needs `no`, `entry`, `prev_hash` and `hash`.');
    const previous = this.hashes[this.count] ?? '';
    const expected = this.count + 1;
    if (this.newest !== undefined || no !== expected || prev_hash !== previous)
      return this.faultHere(
        'entry_out_of_place',
        `Entry ${JSON.stringify(no)} does not follow entry ${this.count}: an entry was removed, inserted or moved.`,
      );
    if (chainHash(previous, entry) !== hash)
      return this.faultHere('entry_changed', `Entry ${expected} does not match its hash: it was changed.`);
    this.hashes.push(hash);
    return undefined;
  }

  private takeHead(line: JsonObject): ExportFault | undefined {
    const head = readHead(line);
    if (head === undefined)
      return this.faultHere('unreadable_line', 'A head needs `no`, `hash`, `signed_at`, `public_key` and `signature`.');
    const { no, public_key } = head;
    if (!isSignedBy(public_key, headText(this.ownerId ?? '', head), head.signature))
      return this.faultHere('head_invalid', `The signature of head ${no} does not fit.`);
    if (this.options.publicKeys?.includes(public_key) === false)
      return this.faultHere(
        'unknown_signer',
        `Head ${no} is signed with ${public_key}, not with a key that you named.`,
      );
    if (no > this.count)
      return this.faultHere(
        'truncated',
        `Head ${no} was signed, but the file ends at entry ${this.count}: entries were cut off.`,
      );
    if (this.hashes[no] !== head.hash)
      return this.faultHere('head_mismatch', `Head ${no} was signed for another entry ${no} than the one in the file.`);
    this.signers.add(public_key);
    if (this.newest === undefined || no >= this.newest.no) this.newest = { no, signed_at: head.signed_at };
    return undefined;
  }

  /** Fault that the end of the file alone shows. */
  private missing(): ExportFault | undefined {
    if (this.newest === undefined)
      return { code: 'not_signed', message: 'The file has no signed head: its end was cut off, or it is no export.' };
    if (this.newest.no < this.count)
      return {
        code: 'not_signed',
        message: `The newest signed head is ${this.newest.no}, but there are ${this.count} entries: entries were added, or the head was cut off.`,
      };
    const { seen } = this.options;
    if (seen !== undefined && this.hashes[seen.no] !== seen.hash)
      return {
        code: 'seen_head_missing',
        message: `The head ${seen.no}:${seen.hash} that you noted is not in this chain.`,
      };
    return undefined;
  }

  private faultHere(code: ExportFault['code'], message: string): ExportFault {
    return { line: this.lineNo, code, message };
  }
}

function parse(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

interface HeadLine {
  no: number;
  hash: string;
  signed_at: string;
  public_key: string;
  signature: string;
}

function readHead(line: JsonObject): HeadLine | undefined {
  const no = ownField(line, 'no');
  const texts = (['hash', 'signed_at', 'public_key', 'signature'] as const).map((name) => ownField(line, name));
  const [hash, signed_at, public_key, signature] = texts;
  if (typeof no !== 'number' || !Number.isSafeInteger(no) || no < 0) return undefined;
  if (typeof hash !== 'string' || typeof signed_at !== 'string') return undefined;
  if (typeof public_key !== 'string' || typeof signature !== 'string') return undefined;
  return { no, hash, signed_at, public_key, signature };
}
