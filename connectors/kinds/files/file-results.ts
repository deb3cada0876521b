import type { Json, JsonObject } from '../../../core/base/json';
import { isJsonObject } from '../../../core/base/json';
import { applyMapping } from '../../../core/connector/apply-mapping';
import type { FileEndpoint } from '../../../core/connector/types';
import { AppError } from '../../../core/errors/app-error';
import { missingNote, warningOf } from '../../mapping/mapping-remarks';
import type { InputFile } from './sources/input-file';
import type { EndpointResult } from '../../call/connector-call';
import type { FileFault } from '../../formats/file-fault';
import type { ParsedFile } from '../../formats/parsed-file';
import { markReplaced } from './replaced';
import { UnseenFields } from './unseen-fields';

interface FileError {
  file: string;
  file_id: string;
  code: string;
  message: string;
  line?: number;
  column?: number;
}

/** State of the results before a wait, as it travels to the part after it. */
interface Kept {
  bytes: number;
  records: JsonObject[];
  groups: [string, JsonObject[]][];
  files: JsonObject[];
  errors: FileError[];
  warnings: JsonObject[];
  missing: [string, number][];
  unseen: Json;
}

/** Results of a call's files so far. */
export class FileResults {
  /** Size of the files as they are. */
  bytes: number;
  private readonly records: JsonObject[];
  private readonly groups: Map<string, JsonObject[]>;
  private readonly files: JsonObject[];
  private readonly errors: FileError[];
  private readonly warnings: JsonObject[];
  /** Output field of the mapping → records in which nothing was found. */
  private readonly missing: Map<string, number>;
  private readonly unseen: UnseenFields;
  private readonly done: Set<unknown>;

  /** `resume`: what `kept` gave before a wait of this call. */
  constructor(
    private readonly endpoint: FileEndpoint,
    resume: Json | undefined,
  ) {
    const before: Partial<Kept> = isJsonObject(resume) ? resume : {};
    this.bytes = before.bytes ?? 0;
    this.records = before.records ?? [];
    this.groups = new Map(before.groups ?? Object.keys(endpoint.groups).map((name) => [name, []]));
    this.files = before.files ?? [];
    this.errors = before.errors ?? [];
    this.warnings = before.warnings ?? [];
    this.missing = new Map(before.missing);
    this.unseen = new UnseenFields(before.unseen);
    this.done = new Set([...this.files, ...this.errors].map((entry) => entry['file_id']));
  }

  /** True for a file that was read, or failed, before the wait: it is not fetched again. */
  has(file: InputFile): boolean {
    return this.done.has(file.file_id);
  }

  kept(): Json {
    const { bytes, records, files, errors, warnings } = this;
    const kept: Kept = {
      bytes,
      records,
      groups: [...this.groups],
      files,
      errors,
      warnings,
      missing: [...this.missing],
      unseen: this.unseen.kept(),
    };
    return kept as unknown as Json;
  }

  add(file: InputFile, parsed: ParsedFile): void {
    const origin = { file: file.file, file_id: file.file_id };
    const mapped = applyMapping(this.endpoint.response_mapping, parsed.records, 'name');
    const records = mapped.records.filter(isJsonObject).map((record) => ({ ...origin, ...record }));
    append(this.records, records);
    for (const [name, rows] of Object.entries(parsed.groups)) {
      append(
        this.groups.get(name) ?? [],
        rows.map((row) => ({ ...origin, ...row })),
      );
    }
    this.files.push({ ...origin, records: records.length });
    append(
      this.warnings,
      parsed.warnings.map((warning) => ({ ...origin, ...warning })),
    );
    this.unseen.add(file.file, parsed.looked ?? []);
    append(
      this.warnings,
      mapped.mismatches.map((mismatch) => ({ ...origin, ...warningOf(mismatch) })),
    );
    for (const [field, count] of Object.entries(mapped.missing)) {
      this.missing.set(field, (this.missing.get(field) ?? 0) + count);
    }
  }

  fail(file: InputFile, fault: FileFault): void {
    this.errors.push({
      file: file.file,
      file_id: file.file_id,
      code: fault.code,
      message: fault.message,
      ...fault.place,
    });
  }

  /** A source of which nothing could be read is a failure, never an empty result. */
  result(): EndpointResult {
    if (this.files.length === 0) {
      throw this.failure();
    }
    const { replaces } = this.endpoint;
    if (replaces !== undefined) markReplaced(replaces, this.records, this.groups.values());
    return {
      results: this.records,
      count: this.records.length,
      ...Object.fromEntries(this.groups),
      files: this.files,
      errors: this.errors.map((error) => ({ ...error })),
      error_count: this.errors.length,
      ...missingNote(Object.fromEntries(this.missing)),
      warnings: [...this.unseen.warnings(), ...this.warnings],
    };
  }

  private failure(): AppError {
    const first = this.errors[0];
    if (first === undefined) {
      return new AppError('no_files', 'The source holds no file of an accepted format.', { category: 'bad_request' });
    }
    const code = this.errors.every((error) => error.code === first.code) ? first.code : 'no_file_readable';
    const place = first.line === undefined ? '' : ` (line ${first.line}, column ${first.column ?? 1})`;
    const others = this.errors.length > 1 ? ` None of the ${this.errors.length} files could be read.` : '';
    return new AppError(code, `${first.file}: ${first.message}${place}${others}`, {
      category: 'bad_request',
      details: { errors: this.errors.slice(0, 20).map((error): Json => ({ ...error })) },
    });
  }
}

/** `push(...rows)` would put every row on the stack. */
function append<T>(target: T[], rows: readonly T[]): void {
  for (const row of rows) {
    target.push(row);
  }
}
