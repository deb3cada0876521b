import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RunFeed } from '../../infra/db/run-feed';
import { EventsStore } from '../../infra/db/stores/events.store';
import { StepHotPath } from '../../infra/db/stores/step-hot-path.store';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { OWNER, seedRun, STRANGER, testDatabase, type TestDatabase } from './db-fixture';

let db: TestDatabase;
let feed: RunFeed;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());
beforeEach(() => {
  feed = new RunFeed(db.database, new EventsStore(db.database));
});
afterEach(() => feed.close());

const append = (runId: string, id: string) =>
  new StepHotPath(db.database).step(runId, { events: [{ id, type: 'step.finished', payload: { id } }] });
const finish = (runId: string) =>
  new TransitionsStore(db.database).finish(runId, {
    status: 'complete',
    events: [{ id: 'complete', type: 'complete', payload: {} }],
  });
const follow = (runId: string, afterSeq = 0, signal = new AbortController().signal, ownerId = OWNER) =>
  feed.follow({ runId, ownerId, afterSeq, signal });

describe('following a run', () => {
  it('50 branches and a reader that reconnects after every event: each event once, in order', async () => {
    const runId = await seedRun(db.database);
    const writing = Promise.all(Array.from({ length: 50 }, (_, i) => append(runId, `e${i}`))).then(() => finish(runId));
    const seen: number[] = [];
    let ended = false;
    while (!ended) {
      const stop = new AbortController();
      for await (const batch of follow(runId, seen.at(-1) ?? 0, stop.signal)) {
        const [first] = batch;
        seen.push(first?.seq ?? -1);
        ended = first?.type === 'complete';
        break;
      }
      stop.abort();
    }
    await writing;
    expect(seen).toEqual(Array.from({ length: 51 }, (_, i) => i + 1));
  });

  it('ends after the last event, also for who has seen it already', async () => {
    const runId = await seedRun(db.database);
    await append(runId, 'a');
    await finish(runId);
    const types: string[] = [];
    for await (const batch of follow(runId)) {
      types.push(...batch.map((event) => event.type));
    }
    expect(types).toEqual(['step.finished', 'complete']);
    for await (const batch of follow(runId, 2)) {
      types.push(...batch.map((event) => event.type));
    }
    expect(types).toHaveLength(2);
  });

  it('hears of an event at once', async () => {
    const runId = await seedRun(db.database);
    const delays: number[] = [];
    const reader = (async () => {
      for await (const batch of follow(runId)) {
        delays.push(Date.now() - Date.parse(batch[0]?.at ?? ''));
      }
    })();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await append(runId, 'a');
    await new Promise((resolve) => setTimeout(resolve, 300));
    await finish(runId);
    await reader;
    expect(delays).toHaveLength(2);
    expect(Math.max(...delays)).toBeLessThan(1_000);
  });

  it('stops when the reader goes, and shows nothing to others', async () => {
    const runId = await seedRun(db.database);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 100);
    for await (const batch of follow(runId, 0, stop.signal)) {
      expect(batch).toEqual([]);
    }
    for await (const batch of follow(runId, 0, undefined, STRANGER)) {
      expect(batch).toEqual([]);
    }
  });
});
