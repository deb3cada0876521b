import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunEvent } from '../../core/engine/commands';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { PREFIX, startApi, startRun, type TestApi } from './api-fixture';
import { readEvents } from './sse';

let api: TestApi;
let transitions: TransitionsStore;
beforeAll(async () => {
  api = await startApi();
  transitions = new TransitionsStore(api.database);
});
afterAll(() => api.close());

const streamOf = (runId: string): string => `${api.url}${PREFIX}/runs/${runId}/events`;

let number = 0;
async function emit(runId: string, count = 1): Promise<void> {
  const events: RunEvent[] = Array.from({ length: count }, () => {
    number += 1;
    const payload = { step: `s${number}`, status: 'ok', try_no: 1 };
    return { id: `e${number}`, type: 'step.finished', step_path: `s${number}`, payload };
  });
  await transitions.apply(runId, { events });
}
function complete(runId: string): Promise<unknown> {
  return transitions.finish(runId, {
    status: 'complete',
    events: [{ id: 'end', type: 'complete', payload: { status: 'complete' } }],
  });
}

describe('an event stream', () => {
  it('replays, follows and ends after `complete`', async () => {
    const runId = await startRun(api);
    await emit(runId, 3);
    const reading = readEvents(streamOf(runId), { headers: api.headers });
    await emit(runId, 2);
    await complete(runId);
    const { events, ended } = await reading;
    expect(ended).toBe(true);
    expect(events.map((event) => event.id)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(events.at(-1)?.type).toBe('complete');
    expect(events[0]?.data).toMatchObject({
      at: expect.any(String),
      step: expect.any(String),
      step_path: expect.any(String),
    });
  });

  it('goes on after Last-Event-ID, as a header or in the query, and has no more after the end', async () => {
    const runId = await startRun(api);
    await emit(runId, 4);
    await complete(runId);
    const byHeader = await readEvents(streamOf(runId), { headers: { ...api.headers, 'last-event-id': '3' } });
    expect(byHeader.events.map((event) => event.id)).toEqual([4, 5]);
    const byQuery = await readEvents(`${streamOf(runId)}?last_event_id=4`, { headers: api.headers });
    expect(byQuery.events.map((event) => event.type)).toEqual(['complete']);
    expect((await readEvents(streamOf(runId), { headers: { ...api.headers, 'last-event-id': '5' } })).status).toBe(204);
    for (const id of ['x', '-1', '1e3', '']) {
      const headers = { ...api.headers, 'last-event-id': id };
      expect((await fetch(streamOf(runId), { headers })).status).toBe(id === '' ? 200 : 400);
    }
  });

  it('shows each event once to a client that leaves after every event', async () => {
    const runId = await startRun(api);
    const writing = (async () => {
      for (let count = 0; count < 50; count += 1) {
        await emit(runId);
      }
      await complete(runId);
    })();
    const seen: number[] = [];
    for (let last = 0, done = false; !done;) {
      const { events } = await readEvents(streamOf(runId), {
        headers: { ...api.headers, 'last-event-id': String(last) },
        enough: () => true,
      });
      last = events[0]?.id ?? last;
      done = events[0]?.type === 'complete';
      seen.push(...events.slice(0, 1).map((event) => event.id));
    }
    await writing;
    expect(seen).toEqual(Array.from({ length: 51 }, (_, index) => index + 1));
  });

  it('reaches hundreds of clients over one listener', async () => {
    const runId = await startRun(api);
    const readers = Array.from({ length: 200 }, () => readEvents(streamOf(runId), { headers: api.headers }));
    await emit(runId, 5);
    await complete(runId);
    for (const { events } of await Promise.all(readers)) {
      expect(events.map((event) => event.id)).toEqual([1, 2, 3, 4, 5, 6]);
    }
  });

  it('does not hold the server back when its client does not read', async () => {
    const runId = await startRun(api);
    const { body } = await fetch(streamOf(runId), { headers: api.headers });
    const big = 'x'.repeat(100_000);
    for (let count = 0; count < 20; count += 1) {
      const event = {
        id: `big${count}`,
        type: 'step.skipped',
        step_path: 'a',
        payload: { step: 'a', reason: 'condition', condition: big },
      };
      await transitions.apply(runId, { events: [event] });
    }
    await complete(runId);
    expect((await fetch(`${api.url}/health/live`)).status).toBe(200);
    await body?.cancel();
  });
});
