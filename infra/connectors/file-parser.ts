import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Json, JsonObject } from '../../core/base/json';
import { isJsonObject } from '../../core/base/json';
import { applyMapping } from '../../core/connector/apply-mapping';
import type { FileConnector, FileEndpoint } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { FileFault } from './files/file-fault';
import type { ParsedFile } from './files/parsed-file';
import { missingNote, warningOf } from './mapping-remarks';
import { askDirectly, type Ask } from './runtime/ask';
import { chooseFiles } from './sources/choose-source';
import type { InputFile } from './sources/input-file';
import type { CallContext, ConnectorDeps, EndpointResult } from './types';

interface FileError {
  file: string;
  file_id: string;
  code: string;
  message: string;
  line?: number;
  column?: number;
}

/** Reads every file of the source; a file that cannot be read is an entry of `errors` and spoils no other. */
export async function callFileParser(
  deps: ConnectorDeps,
  definition: FileConnector,
  call: { name: string; endpoint: FileEndpoint; inputs: JsonObject; context: CallContext },
): Promise<EndpointResult> {
  const { context, endpoint, name } = call;
  const { source, files } = await chooseFiles(deps, definition, call);
  const collected = new Collected(endpoint);
  const read = async (): Promise<EndpointResult> => {
    for (const file of files) {
      context.signal.throwIfAborted();
      await readOne(deps, file, { endpoint, signal: context.signal, collected });
      await yieldToOthers();
    }
    return collected.result();
  };
  // Files behind addresses are requests, each with a record of its own.
  if (source === 'url') return read();
  const asked: Ask = {
    ownerId: context.ownerId,
    connector: { id: definition.id, versionId: context.versionId },
    endpoint: name,
    origin: source,
    method: 'READ',
    attempt: 1,
    signal: context.signal,
    deadline: Date.now() + context.timeoutMs,
  };
  return (deps.ask ?? askDirectly)(asked, read, ({ count }) => ({ items: Number(count), bytes: collected.bytes }));
}

async function readOne(
  deps: ConnectorDeps,
  file: InputFile,
  use: { endpoint: FileEndpoint; signal: AbortSignal; collected: Collected },
): Promise<void> {
  try {
    const bytes = await file.open();
    use.collected.bytes += bytes.byteLength;
    use.collected.add(file, await deps.files.parse({ endpoint: use.endpoint, bytes }, use.signal));
  } catch (error) {
    use.signal.throwIfAborted();
    use.collected.fail(file, faultOf(error));
  }
}

/** What concerns one file alone; anything else, above all an outage of our own stores, ends the call. */
function faultOf(error: unknown): FileFault {
  if (error instanceof FileFault) {
    return error;
  }
  if (error instanceof AppError && error.category !== 'internal' && error.category !== 'unavailable') {
    return new FileFault(error.code, error.message);
  }
  throw error;
}

class Collected {
  /** Of the files as they are. */
  bytes = 0;
  private readonly records: JsonObject[] = [];
  private readonly groups = new Map<string, JsonObject[]>();
  private readonly files: JsonObject[] = [];
  private readonly errors: FileError[] = [];
  private readonly warnings: JsonObject[] = [];
  /** Output field of the mapping → records in which nothing was found. */
  private readonly missing = new Map<string, number>();

  constructor(private readonly endpoint: FileEndpoint) {
    Object.keys(endpoint.groups).forEach((name) => this.groups.set(name, []));
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
      parsed.warnings.map((warning) => ({ ...origin, field: warning.field, message: warning.message })),
    );
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
    return {
      results: this.records,
      count: this.records.length,
      ...Object.fromEntries(this.groups),
      files: this.files,
      errors: this.errors.map((error) => ({ ...error })),
      error_count: this.errors.length,
      ...missingNote(Object.fromEntries(this.missing)),
      warnings: this.warnings,
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
