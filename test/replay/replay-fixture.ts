import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker, type ReplayHistoriesIterable } from '@temporalio/worker';
import { DirectoryBlobs } from '../../infra/blob/directory-blobs';
import { FAILURE_CONVERTER } from '../../infra/temporal/connection';
import { PayloadOffload } from '../../infra/temporal/payload-offload';
import { quietRuntime } from '../support/quiet-runtime';

const FOLDER = join(__dirname, 'histories');
const NEVER_OFFLOAD = Number.MAX_SAFE_INTEGER;

export function storedHistories(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

export function storedText(name: string): string {
  return readFileSync(join(FOLDER, `${name}.json`), 'utf8');
}

/** Replays stored histories against a bundle, with no server: name → what went wrong, or undefined. */
export async function replay(
  bundle: { codePath: string },
  names: readonly string[],
): Promise<Map<string, Error | undefined>> {
  quietRuntime();
  const payloadCodecs = [new PayloadOffload(new DirectoryBlobs(join(__dirname, 'blobs')), NEVER_OFFLOAD)];
  const histories = names.map((name) => ({
    workflowId: workflowIdOf(name),
    history: JSON.parse(storedText(name)) as unknown,
  }));
  const results = Worker.runReplayHistories(
    { workflowBundle: bundle, dataConverter: { payloadCodecs, failureConverterPath: FAILURE_CONVERTER } },
    histories as ReplayHistoriesIterable,
  );
  const errors = new Map<string, Error | undefined>();
  let at = 0;
  for await (const result of results) errors.set(names[at++] ?? '', result.error);
  return errors;
}

function workflowIdOf(name: string): string {
  const text = storedText(name);
  return /"workflowId":"([^"]+)"/.exec(text)?.[1] ?? `run-of-${name}`;
}
