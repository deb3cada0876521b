import { describe, expect, it } from '@jest/globals';
import type { RunGateway } from '../../../src/app/ports';
import { RunLauncher } from '../../../src/runs/run-launcher';
import type { RunRow } from '../../../infra/db/stores/run-types';

const MOST_AT_ONCE = 16;
const MOST_WAITING = 500;
const row = { status: 'pending' } as RunRow;

/** Gateway to Temporal, held open: each start ends when the test says so. */
function heldGateway() {
  const begun: { runId: string; row: RunRow | undefined; end: (error?: Error) => void }[] = [];
  const startRun = (runId: string, known?: RunRow): Promise<'started'> =>
    new Promise((resolve, reject) => {
      begun.push({
        runId,
        row: known,
        end: (error) => (error === undefined ? resolve('started') : reject(error)),
      });
    });
  const said: string[] = [];
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (_facts: object, text: string) => said.push(text),
  };
  const launcher = new RunLauncher({ startRun } as unknown as RunGateway, log);
  return { launcher, begun, said };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('launching runs', () => {
  it('has a bounded number under way, the rest in their order, and reads the rows of those that waited again', async () => {
    const { launcher, begun } = heldGateway();
    for (let no = 0; no < MOST_AT_ONCE + 3; no++) launcher.launch(`run-${no}`, row);
    expect(begun).toHaveLength(MOST_AT_ONCE);
    expect(begun.every((start) => start.row === row)).toBe(true);
    begun[4]?.end();
    await settle();
    expect(begun.slice(MOST_AT_ONCE)).toMatchObject([{ runId: `run-${MOST_AT_ONCE}`, row: undefined }]);
  });

  it('leaves to the sweeper what finds no place to wait', async () => {
    const { launcher, begun } = heldGateway();
    for (let no = 0; no < MOST_AT_ONCE + MOST_WAITING + 5; no++) launcher.launch(`run-${no}`, row);
    for (let ended = 0; ended < begun.length; ended++) {
      begun[ended]?.end();
      await settle();
    }
    expect(begun).toHaveLength(MOST_AT_ONCE + MOST_WAITING);
  });

  it('goes on after a start that failed, and says so', async () => {
    const { launcher, begun, said } = heldGateway();
    for (let no = 0; no < MOST_AT_ONCE + 1; no++) launcher.launch(`run-${no}`, row);
    begun[0]?.end(new Error('no connection'));
    await settle();
    expect(begun).toHaveLength(MOST_AT_ONCE + 1);
    expect(said).toEqual(['the start of a run is left to the sweeper']);
  });
});
