import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { JsonObject } from '../../../core/base/json';
import type { FileConnector, FileEndpoint } from '../../../core/connector/types';
import { AppError } from '../../../core/errors/app-error';
import { Collected } from './collected';
import { FileFault } from '../../formats/file-fault';
import { askDirectly, type Ask } from '../../runtime/source-client';
import { SourceWait } from '../../runtime/limits/source-wait';
import { chooseFiles } from './sources/choose-source';
import type { InputFile } from './sources/input-file';
import type { CallContext, ConnectorDeps, EndpointResult } from '../../call/types';

/** Reads every file of the source; a file that cannot be read is an entry of `errors` and spoils no other. */
export async function callFileParser(
  deps: ConnectorDeps,
  definition: FileConnector,
  call: { name: string; endpoint: FileEndpoint; inputs: JsonObject; context: CallContext },
): Promise<EndpointResult> {
  const { context, endpoint, name } = call;
  const { source, files } = await chooseFiles(deps, definition, call);
  const collected = new Collected(endpoint, context.resume);
  const read = async (): Promise<EndpointResult> => {
    for (const file of files.filter((each) => !collected.has(each))) {
      context.signal.throwIfAborted();
      await readOne(deps, file, { endpoint, signal: context.signal, collected });
      await yieldToOthers();
    }
    return collected.result();
  };
  // Files behind addresses are requests, each with a record of its own.
  if (source === 'url') return keptAtWait(read, collected);
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

/** A source that asks for a wait between two files: the call goes on with those that are not read yet. */
async function keptAtWait<T>(read: () => Promise<T>, collected: Collected): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof SourceWait ? error.at(collected.kept()) : error;
  }
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
