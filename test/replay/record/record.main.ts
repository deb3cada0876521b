import 'reflect-metadata';
import './contracts';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DirectoryBlobs } from '../../../infra/blob/directory-blobs';
import { HISTORY_SCOPE, type BlobStore } from '../../../infra/blob/blob-store';
import { openBlobs } from '../../../infra/blob/open-blobs';
import { startInProcess } from '../../support/in-process';
import { ModelServer } from '../../support/model-server';
import { removeRunFolder } from '../../support/run-folder';
import { recordedActions } from './actions';
import { blobsOf, historiesOf, toText } from './history-file';
import type { Shape } from './shape';
import { continuedShapes, shapes } from './shapes';

/**
 * Carries every shape out on real servers and keeps the histories, with the blobs that they point at, beside the replay
 * tests: `node -r ./test/support/ts-hook.cjs test/replay/record/record.main.ts [shape...]`. Without names: all, anew.
 */
const FOLDER = resolve(__dirname, '..');
const HISTORIES = join(FOLDER, 'histories');

async function main(): Promise<void> {
  const names = process.argv.slice(2);
  if (names.length === 0)
    for (const folder of ['histories', 'blobs']) rmSync(join(FOLDER, folder), { recursive: true, force: true });
  mkdirSync(HISTORIES, { recursive: true });
  const model = await ModelServer.start();
  const env = {
    AF_MODELS: 'openai/gpt-4.1',
    OPENAI_API_KEY: 'key-of-the-tests',
    OPENAI_BASE_URL: model.openaiUrl,
    AF_EGRESS_ALLOW: `127.0.0.1:${model.port}`,
    // A stored history is replayed without a key.
    AF_PAYLOAD_ENCRYPTION: 'off',
  };
  const wanted = (list: Shape[]): Shape[] => list.filter((shape) => names.length === 0 || names.includes(shape.name));
  try {
    await recordAll(wanted(shapes), model, env);
    await recordAll(wanted(continuedShapes), model, { ...env, AF_CONTINUE_AS_NEW_EVENTS: '50' });
  } finally {
    await model.close();
    removeRunFolder();
  }
}

async function recordAll(list: Shape[], model: ModelServer, env: Record<string, string>): Promise<void> {
  if (list.length === 0) return;
  const stack = await startInProcess({ env, actions: recordedActions });
  const blobs = openBlobs(stack.config, stack.database);
  try {
    for (const shape of list) {
      const runs = await shape.record({ stack, model });
      for (const [name, runId] of Object.entries(runs)) {
        const histories = await historiesOf(stack, runId);
        for (const [part, history] of histories.entries())
          await keep(blobs, histories.length > 1 ? `${name}.${part + 1}` : name, toText(history));
      }
    }
  } finally {
    await stack.close();
  }
}

async function keep(blobs: BlobStore, name: string, text: string): Promise<void> {
  writeFileSync(join(HISTORIES, `${name}.json`), text);
  const kept = new DirectoryBlobs(join(FOLDER, 'blobs'));
  for (const sha256 of blobsOf(text)) await kept.put(HISTORY_SCOPE, await blobs.get(HISTORY_SCOPE, sha256));
  process.stdout.write(`${name}: ${Math.round(text.length / 1024)} KB\n`);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
