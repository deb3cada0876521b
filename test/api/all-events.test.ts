import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { hashToken } from '../../infra/identity/random-token';
import { cursorOf, readCursor } from '../../src/events/event-cursor';
import { together } from '../support/together';
import { PREFIX, startApi, startRun, type TestApi } from './api-fixture';
import { mismatch } from './conformance';
import { withKey } from './people';
import { settledEvents } from './settled-events';
import { eventMismatches, readEvents, type SseEvent } from './sse';

let api: TestApi;
let replica: TestApi;
let transitions: TransitionsStore;
beforeAll(async () => {
  api = await startApi();
  replica = await startApi({ databaseUrl: api.databaseUrl });
  transitions = new TransitionsStore(api.database);
});
afterAll(async () => {
  await replica.close();
  await api.close();
});

const streamOf = (from: TestApi, query = ''): string => `${from.url}${PREFIX}/events${query}`;

let number = 0;
async function emit(runId: string, type = 'step.started'): Promise<void> {
  number += 1;
  const payload = { step: `s${number}`, action: 'x', try_no: 1, attempt: 1 };
  await transitions.apply(runId, { events: [{ id: `e${number}`, type, step_path: `s${number}`, payload }] });
}

/** A stream that is open: what happens from now on is in it. */
async function follow(
  url: string,
  count: number,
  headers: Record<string, string> = {},
): Promise<{ events: Promise<SseEvent[]>; firstId: string }> {
  await settledEvents(api);
  const response = await fetch(url, { headers: { ...api.headers, ...headers } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  let opened: (id: string) => void = () => undefined;
  const firstId = new Promise<string>((resolve) => {
    opened = resolve;
  });
  const reading = readEvents(response, { enough: (events) => events.length >= count, onId: (id) => opened(id) });
  return { events: reading.then(({ events }) => events), firstId: await firstId };
}

const placesOf = (events: readonly SseEvent[]): string[] =>
  events.map(({ data }) => `${String(data['runId'])} ${String(data['seq'])}`);

describe('the stream of everything', () => {
  it('has what happens in all runs from now on, on every replica, as the document says', async () => {
    const [first, second] = [await startRun(api), await startRun(replica)];
    await emit(first);
    const streams = [await follow(streamOf(api), 3), await follow(streamOf(replica), 3)];
    await emit(first);
    await emit(second);
    await emit(first);
    for (const { events } of streams) {
      const seen = await events;
      expect(placesOf(seen)).toEqual([`${first} 2`, `${second} 1`, `${first} 3`]);
      for (const event of seen) {
        const { runId, seq, ...data } = event.data;
        expect(mismatch('#/components/schemas/EventOrigin', { runId, seq })).toBe('');
        expect(eventMismatches([{ ...event, data }])).toEqual([]);
      }
    }
  });

  it('goes on behind the last id, as a header or in the query, on the other replica too', async () => {
    const runId = await startRun(api);
    const { events, firstId } = await follow(streamOf(api), 1);
    for (let count = 0; count < 4; count += 1) await emit(runId);
    const [one] = await events;
    const id = one?.key ?? '';
    const byHeader = await follow(streamOf(replica), 3, { 'last-event-id': id });
    expect(placesOf(await byHeader.events)).toEqual([2, 3, 4].map((seq) => `${runId} ${seq}`));
    const byQuery = await follow(streamOf(replica, `?last_event_id=${id}`), 3);
    expect(placesOf(await byQuery.events)).toEqual([2, 3, 4].map((seq) => `${runId} ${seq}`));
    // The id that came before any event is as good.
    const fromStart = await follow(streamOf(api, `?last_event_id=${firstId}`), 4);
    expect(placesOf(await fromStart.events)).toEqual([1, 2, 3, 4].map((seq) => `${runId} ${seq}`));
  });

  it('shows each event once to a client that leaves after every event', async () => {
    const runId = await startRun(api);
    let { firstId: id } = await follow(streamOf(api), 1);
    const writing = (async () => {
      for (let count = 0; count < 20; count += 1) await emit(runId);
    })();
    const seen: unknown[] = [];
    while (seen.length < 20) {
      const [event] = await (await follow(streamOf(api), 1, { 'last-event-id': id })).events;
      seen.push(event?.data['seq']);
      id = event?.key ?? id;
    }
    await writing;
    expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });

  it('has only the types and the run that were asked for', async () => {
    const [first, second] = [await startRun(api), await startRun(api)];
    const some = await follow(streamOf(api, `?types=effect.recorded,step.skipped&run=${first}`), 2);
    await emit(first);
    await emit(second, 'step.skipped');
    await emit(first, 'step.skipped');
    await emit(first, 'effect.recorded');
    const seen = await some.events;
    expect(seen.map((event) => event.type)).toEqual(['step.skipped', 'effect.recorded']);
    expect(placesOf(seen)).toEqual([`${first} 2`, `${first} 3`]);
    for (const query of ['?types=nothing', '?types=', '?run=x', '?what=1']) {
      expect({ query, status: (await fetch(streamOf(api, query), { headers: api.headers })).status }).toEqual({
        query,
        status: 400,
      });
    }
  });

  it('a cursor that leads nowhere is said with `reset`, and what happens from now on follows', async () => {
    const runId = await startRun(api);
    const { firstId } = await follow(streamOf(api), 1);
    const [stamp = ''] = Buffer.from(firstId, 'base64url').toString().split('.');
    const place = { xid: '3', runId, seq: 1 };
    const cases = {
      cursor_unknown: ['nonsense', '17', cursorOf('000000000000', place, Date.now())],
      cursor_too_old: [cursorOf(stamp, place, Date.now() - 8 * 86_400_000)],
    };
    for (const [code, ids] of Object.entries(cases)) {
      for (const id of ids) {
        const stream = await follow(streamOf(api), 2, { 'last-event-id': id });
        await emit(runId);
        const [reset, event] = await stream.events;
        expect({ id, reset }).toMatchObject({ id, reset: { type: 'reset', data: { code } } });
        expect(mismatch('#/components/schemas/ResetEvent', reset?.data)).toBe('');
        expect(event).toMatchObject({ type: 'step.started', data: { runId } });
      }
    }
  });

  it('a cursor is bound to an installation, and not of the future', () => {
    const at = { xid: '100', runId: LOCAL_USER_ID, seq: 7 };
    const standing = { stamp: 'abcdef012345', at };
    const now = Date.now();
    expect(readCursor(cursorOf('abcdef012345', at, now), standing, now)).toEqual({ place: at });
    const ahead = cursorOf('abcdef012345', { ...at, xid: '101' }, now);
    expect(readCursor(ahead, standing, now)).toEqual({ reset: 'cursor_unknown' });
    const huge = cursorOf('abcdef012345', { ...at, xid: '99999999999999999999' }, now);
    expect(readCursor(huge, standing, now)).toEqual({ reset: 'cursor_unknown' });
  });
});

describe('a reader who loses their rights', () => {
  together((it) => {
    it('who may not read a run any more is told, and the stream ends', async () => {
      const runId = await startRun(api);
      await emit(runId);
      const response = await fetch(`${api.url}${PREFIX}/runs/${runId}/events`, { headers: api.headers });
      expect(response.status).toBe(200);
      const reading = readEvents(response);
      const other = '00000000-0000-4000-8000-00000000000a';
      await api.admin.query(`insert into users (id, handle, display_name) values ($1, 'other', 'Other')`, [other]);
      await api.admin.query('update runs set owner_id = $2 where id = $1', [runId, other]);
      const state = { ended: false };
      void reading.finally(() => {
        state.ended = true;
      });
      while (!state.ended) {
        await emit(runId);
        await sleep(100);
      }
      const { events, ended } = await reading;
      expect(ended).toBe(true);
      const last = events.at(-1);
      expect(last).toMatchObject({ type: 'closed', data: { code: 'access_revoked' } });
      expect(mismatch('#/components/schemas/ClosedEvent', last?.data)).toBe('');
    });

    it('whose key was revoked is told, and the stream ends', async () => {
      const key = await withKey(api, LOCAL_USER_ID);
      const response = await fetch(streamOf(api), { headers: key.headers });
      expect(response.status).toBe(200);
      const runId = await startRun(api);
      const reading = readEvents(response);
      await api.admin.query('update api_keys set revoked_at = clock_timestamp() where hash = $1', [
        hashToken(key.headers['x-api-key'] ?? ''),
      ]);
      const state = { ended: false };
      void reading.finally(() => {
        state.ended = true;
      });
      while (!state.ended) {
        await emit(runId);
        await sleep(100);
      }
      expect((await reading).events.at(-1)).toMatchObject({ type: 'closed', data: { code: 'access_revoked' } });
    });
  });
});
