import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { FileConnector } from '../../../core/connector/types';
import { AppError } from '../../../core/errors/app-error';
import { FileResults } from './file-results';
import { FileFault } from '../../formats/file-fault';
import type { SourceRequest } from '../../runtime/source-client';
import { SourceWait } from '../../runtime/limits/source-wait';
import { chooseFiles } from './sources/choose-source';
import type { InputFile } from './sources/input-file';
import type { ConnectorCall, EndpointResult } from '../../call/connector-call';

/** Reads every file of the source; a file that cannot be read is an entry of `errors` and spoils no other. */
export async function callFileParser(call: ConnectorCall<FileConnector>): Promise<EndpointResult> {
  const { source, files } = await chooseFiles(call);
  const collected = new FileResults(call.endpoint, call.resume);
  const read = async (): Promise<EndpointResult> => {
    for (const file of files.filter((each) => !collected.has(each))) {
      call.signal.throwIfAborted();
      await readOne(call, file, collected);
      await yieldToOthers();
    }
    return collected.result();
  };
  // Files behind addresses are requests, each with a record of its own.
  if (source === 'url') return keptAtWait(read, collected);
  const request: SourceRequest = { call, origin: source, method: 'READ', attempt: 1 };
  return call.source(request, read, ({ count }) => ({ items: Number(count), bytes: collected.bytes }));
}

/** A source that asks for a wait between two files: the call goes on with those that are not read yet. */
async function keptAtWait<T>(read: () => Promise<T>, collected: FileResults): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof SourceWait ? error.at(collected.kept()) : error;
  }
}

async function readOne(
  { endpoint, services, signal }: ConnectorCall<FileConnector>,
  file: InputFile,
  collected: FileResults,
): Promise<void> {
  try {
    const bytes = await file.open();
    collected.bytes += bytes.byteLength;
    collected.add(file, await services.files.parse({ endpoint, bytes }, signal));
  } catch (error) {
    signal.throwIfAborted();
    collected.fail(file, faultOf(error));
  }
}

/** Fault of one file alone; any other error, above all an outage of our own stores, ends the call. */
function faultOf(error: unknown): FileFault {
  if (error instanceof FileFault) {
    return error;
  }
  if (error instanceof AppError && error.category !== 'internal' && error.category !== 'unavailable') {
    return new FileFault(error.code, error.message);
  }
  throw error;
}
