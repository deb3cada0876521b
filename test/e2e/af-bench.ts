import { expect } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { startApiOf, type TestApi } from '../api/api-fixture';
import { waitUntil } from '../../infra/embedded/process';
import { af, type AfResult } from '../support/af';
import { startInProcess } from '../support/in-process';
import { newFolder } from '../support/run-folder';

/** The product, and the command line as a process that talks to it. */
export interface AfBench {
  api: TestApi;
  folder: string;
  env: () => { AF_URL: string; AF_API_KEY: string; AF_HOME: string };
  said: (...args: string[]) => Promise<AfResult>;
  /** A file for a command to read. */
  file: (name: string, text: string) => string;
  save: (name: string, source: string) => Promise<void>;
  /** Id of a run that begins. */
  started: (playbook: string, ...inputs: string[]) => Promise<string>;
  /** The request that a run waits for. */
  request: (runId: string) => Promise<string>;
  ended: (runId: string) => Promise<void>;
  close: () => Promise<void>;
}

export async function afBench(): Promise<AfBench> {
  const folder = newFolder('command-line');
  const product = await startInProcess();
  const api = await startApiOf(product);
  const env = () => ({ AF_URL: api.url, AF_API_KEY: api.key, AF_HOME: folder });
  const said = (...args: string[]): Promise<AfResult> => af(args, { env: env() });
  const file = (name: string, text: string): string => {
    const place = path.join(folder, name);
    writeFileSync(place, text);
    return place;
  };
  const waiting = async (runId: string): Promise<string | undefined> => {
    const { body } = await api.call('GET', `/approvals?status=waiting&run=${runId}`);
    return (body['items'] as { approvalId: string }[])[0]?.approvalId;
  };
  return {
    api,
    folder,
    env,
    said,
    file,
    async save(name, source) {
      expect(await said('save', file(`${name}.yaml`, source))).toMatchObject({ code: 0, stderr: '' });
    },
    async started(playbook, ...inputs) {
      const pairs = inputs.flatMap((pair) => ['--input', pair]);
      const { stdout, stderr, code } = await said('run', playbook, ...pairs, '--json');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return (JSON.parse(stdout) as { runId: string }).runId;
    },
    async request(runId) {
      await waitUntil(async () => (await waiting(runId)) !== undefined, { what: 'the request', timeoutMs: 60_000 });
      return (await waiting(runId)) ?? '';
    },
    async ended(runId) {
      const seen = async () => (await api.call('GET', `/runs/${runId}`)).body['status'];
      await waitUntil(async () => (await seen()) === 'complete', {
        what: `the end of run ${runId}`,
        timeoutMs: 60_000,
      });
    },
    async close() {
      await api.close();
      await product.close();
    },
  };
}
