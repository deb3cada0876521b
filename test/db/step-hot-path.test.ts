import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunEvent } from '../../core/engine/commands';
import { EventsStore } from '../../infra/db/stores/events.store';
import { OpenRunsStore } from '../../infra/db/stores/open-runs.store';
import { StepHotPath } from '../../infra/db/stores/step-hot-path.store';
import type { StepBegin, StepRecord } from '../../infra/db/stores/step-types';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { OWNER, seedRun, testDatabase, type TestDatabase } from './db-fixture';

let db: TestDatabase;
let hot: StepHotPath;
let events: EventsStore;

beforeAll(async () => {
  db = await testDatabase();
  hot = new StepHotPath(db.database);
  events = new EventsStore(db.database);
});
afterAll(() => db.close());

const event = (id: string): RunEvent => ({ id, type: 'step.finished', step_path: 'pull', payload: { id } });
const record = (more: Partial<StepRecord> = {}): StepRecord => ({
  effect_key: 'run/pull',
  try_no: 1,
  step_path: 'pull',
  step_name: 'pull',
  action: 'call_connector',
  status: 'ok',
  output: { value: 1 },
  started_at: '2026-11-28T10:00:00Z',
  ...more,
});
const begin = (more: Partial<StepBegin> = {}): StepBegin => ({
  effect_key: 'run/pull',
  try_no: 1,
  step_path: 'pull',
  worker: 'worker-a',
  ...more,
});
async function log(runId: string) {
  return events.listAfter(runId, OWNER, 0, 1000);
}

describe('one step', () => {
  it('50 at once on one run give a gapless log without repeats', async () => {
    const runId = await seedRun(db.database);
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        hot.step(runId, {
          events: [event(`engine-${i % 10}`)],
          record: record({ effect_key: `k${i}`, events: [event(`record-${i}`), event(`more-${i}`)] }),
          begin: begin({ effect_key: `n${i}`, events: [event(`begin-${i}`)] }),
        }),
      ),
    );
    const rows = await log(runId);
    expect(rows.map((row) => row.seq)).toEqual(Array.from({ length: 160 }, (_, i) => i + 1));
    expect(new Set(rows.map((row) => row.payload.id)).size).toBe(160);
    expect((await new OpenRunsStore(db.database).get(runId))?.seq).toBe(160);
  });

  it('keeps the order of the events of a call', async () => {
    const runId = await seedRun(db.database);
    await hot.step(runId, { events: ['z', 'a', 'm', 'a'].map(event) });
    expect((await log(runId)).map((row) => row.payload.id)).toEqual(['z', 'a', 'm']);
  });

  it('a late attempt takes what is recorded, and its events are not appended', async () => {
    const runId = await seedRun(db.database);
    const first = await hot.step(runId, { record: record({ events: [event('first')] }) });
    const late = await hot.step(runId, { record: record({ output: { value: 2 }, events: [event('late')] }) });
    expect(first).toMatchObject({ recorded: true, existing: null });
    expect(late).toMatchObject({ recorded: false, existing: { status: 'ok', output: { value: 1 } } });
    expect((await log(runId)).map((row) => row.payload.id)).toEqual(['first']);
  });

  it('20 attempts of one try at once: one result, everybody gets it', async () => {
    const runId = await seedRun(db.database);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        hot.step(runId, { record: record({ output: { value: i }, events: [event(`e${i}`)] }) }),
      ),
    );
    const winners = answers.filter((answer) => answer.recorded === true);
    const rows = await log(runId);
    expect(winners).toHaveLength(1);
    expect(rows).toHaveLength(1);
    const value = Number((rows[0]?.payload['id'] as string | undefined)?.slice(1));
    for (const answer of answers.filter((each) => each.recorded === false)) {
      expect(answer.existing?.output).toEqual({ value });
    }
  });

  it('a failed try does not answer the next try, a success answers every try', async () => {
    const runId = await seedRun(db.database);
    await hot.step(runId, { record: record({ status: 'failed', output: undefined }) });
    expect((await hot.step(runId, { begin: begin({ try_no: 1 }) })).begun).toMatchObject({
      result: { status: 'failed' },
    });
    expect((await hot.step(runId, { begin: begin({ try_no: 2 }) })).begun).toMatchObject({ result: null, starts: 1 });
    await hot.step(runId, { record: record({ try_no: 2 }) });
    expect((await hot.step(runId, { begin: begin({ try_no: 3 }) })).begun).toMatchObject({
      result: { status: 'ok', try_no: 2 },
    });
  });

  it('keeps \\u0000, lone surrogates and key order to the letter, and cleans them in text', async () => {
    const runId = await seedRun(db.database);
    const nasty = { z: 'a\u0000b', a: 'x\ud800y', '\u0000k': '\udc00', emoji: '😀' };
    await hot.step(runId, {
      patch: {
        no: 1,
        status: 'running',
        message: 'bad\u0000\ud800',
        waits: [{ why: '\u0000' }],
        steps_done: 0,
        steps_total: 1,
      },
      record: record({
        input: nasty,
        output: { value: nasty },
        events: [{ id: 'e', type: 't', step_path: 'p', payload: nasty }],
      }),
    });
    const answer = await hot.step(runId, { begin: begin() });
    expect(answer.begun?.result?.output?.value).toEqual(nasty);
    expect(Object.keys(answer.begun?.result?.output?.value ?? {})).toEqual(Object.keys(nasty));
    expect((await log(runId))[0]?.payload).toEqual(nasty);
    const run = await new OpenRunsStore(db.database).get(runId);
    expect(run).toMatchObject({ status_message: 'bad\ufffd\ufffd', waits: [{ why: '\u0000' }] });
  });
});

describe('status patches', () => {
  it('an older patch changes nothing', async () => {
    const runId = await seedRun(db.database);
    const patch = (no: number, steps_done: number) => ({
      no,
      status: 'running' as const,
      waits: [],
      steps_done,
      steps_total: 9,
    });
    await hot.step(runId, { patch: patch(2, 5) });
    await hot.step(runId, { patch: patch(1, 3), events: [event('later')] });
    expect(await new OpenRunsStore(db.database).get(runId)).toMatchObject({ status: 'running', steps_done: 5, seq: 1 });
  });

  it('an unknown run is refused', async () => {
    await expect(hot.step('00000000-0000-4000-8000-00000000dead', {})).rejects.toMatchObject({ code: 'run_not_found' });
  });
});

describe('attempts', () => {
  it('counts workers that were lost, not a worker that asks again or lets go', async () => {
    const runId = await seedRun(db.database);
    const start = async (worker: string) => (await hot.step(runId, { begin: begin({ worker }) })).begun;
    expect(await start('a')).toMatchObject({ starts: 1, losses: 0 });
    expect(await start('b')).toMatchObject({ starts: 2, losses: 1 });
    expect(await start('b')).toMatchObject({ starts: 3, losses: 1 });
    await hot.release(runId, { effect_key: 'run/pull', try_no: 1, worker: 'b' });
    await hot.release(runId, { effect_key: 'run/pull', try_no: 1, worker: 'b' });
    expect(await start('c')).toMatchObject({ starts: 4, losses: 1 });
    expect(await start('d')).toMatchObject({ starts: 5, losses: 2 });
  });

  it('nothing begins in a run that is being cancelled, and its result is still recorded', async () => {
    const runId = await seedRun(db.database);
    await db.admin.query(`update runs set control = 'cancel' where id = $1`, [runId]);
    const answer = await hot.step(runId, {
      record: record({ events: [event('done')] }),
      begin: begin({ effect_key: 'next' }),
    });
    expect(answer).toMatchObject({ control: 'cancel', recorded: true, begun: null });
    expect(await log(runId)).toHaveLength(1);
  });

  it('nothing begins while the run is paused, and a recorded result is still told', async () => {
    const runId = await seedRun(db.database);
    await hot.step(runId, { record: record() });
    await db.admin.query(`update runs set control = 'pause' where id = $1`, [runId]);
    expect(await hot.step(runId, { begin: begin({ effect_key: 'next' }) })).toMatchObject({
      control: 'pause',
      begun: null,
    });
    expect((await hot.step(runId, { begin: begin() })).begun).toMatchObject({ result: { status: 'ok' } });
  });

  it('a closed run records an effect that was made but takes no event', async () => {
    const runId = await seedRun(db.database);
    await new TransitionsStore(db.database).finish(runId, { status: 'failed', events: [event('complete')] });
    const answer = await hot.step(runId, {
      record: record({ events: [event('late')] }),
      begin: begin({ effect_key: 'next' }),
    });
    expect(answer).toMatchObject({ control: 'cancel', status: 'failed', recorded: true, begun: null });
    expect((await log(runId)).map((row) => row.payload.id)).toEqual(['complete']);
  });
});

describe('effects', () => {
  const send = (runId: string, effect: 'unsafe' | 'keyed', try_no = 1, worker = 'worker-a') =>
    hot.effectSent(runId, {
      effect_key: 'run/pull',
      try_no,
      worker,
      effect,
      target: 'POST example',
      events: [event(`sent-${try_no}`)],
    });

  it('an unsafe request never leaves twice, under no try', async () => {
    const runId = await seedRun(db.database);
    await hot.step(runId, { begin: begin() });
    expect(await send(runId, 'unsafe')).toMatchObject({ sent: true });
    expect(await send(runId, 'unsafe')).toMatchObject({ sent: false, reason: 'outcome_unknown' });
    await hot.step(runId, { begin: begin({ try_no: 2 }) });
    expect(await send(runId, 'unsafe', 2)).toMatchObject({ sent: false, reason: 'outcome_unknown' });
    expect(await log(runId)).toHaveLength(1);
  });

  it('a late attempt sends nothing when the result of its try is there', async () => {
    const runId = await seedRun(db.database);
    await hot.step(runId, { begin: begin() });
    expect(await send(runId, 'unsafe')).toMatchObject({ sent: true });
    await hot.step(runId, { record: record() });
    expect(await send(runId, 'unsafe')).toMatchObject({ sent: false, reason: 'recorded' });
    expect(await send(runId, 'keyed')).toMatchObject({ sent: false, reason: 'recorded' });
    expect(await send(runId, 'unsafe', 2)).toMatchObject({ sent: false, reason: 'recorded' });
  });

  it('a keyed request may leave again; what has a known result does not stand in the way', async () => {
    const runId = await seedRun(db.database);
    await hot.step(runId, { begin: begin() });
    expect(await send(runId, 'keyed')).toMatchObject({ sent: true });
    expect(await send(runId, 'keyed')).toMatchObject({ sent: true });
    await hot.step(runId, { record: record({ status: 'failed' }), begin: begin({ try_no: 2 }) });
    expect(await send(runId, 'unsafe', 2)).toMatchObject({ sent: true });
    await hot.step(runId, { record: record({ status: 'failed', try_no: 2 }), begin: begin({ try_no: 3 }) });
    expect(await send(runId, 'unsafe', 3)).toMatchObject({ sent: true });
  });

  it('leaves only from the worker that carries the try out: not from one that another took over from, nor after its release', async () => {
    const runId = await seedRun(db.database);
    await hot.step(runId, { begin: begin({ worker: 'slow' }) });
    await hot.step(runId, { begin: begin({ worker: 'next' }) });
    for (const effect of ['unsafe', 'keyed'] as const)
      expect(await send(runId, effect, 1, 'slow')).toMatchObject({ sent: false, reason: 'superseded', control: 'run' });
    expect(await log(runId)).toEqual([]);
    expect(await send(runId, 'unsafe', 1, 'next')).toMatchObject({ sent: true });
    // Later reports get the answer that the attempt was superseded, not that a person is asked.
    expect(await send(runId, 'unsafe', 1, 'slow')).toMatchObject({ sent: false, reason: 'superseded' });
    await hot.release(runId, { effect_key: 'run/pull', try_no: 1, worker: 'next' });
    expect(await send(runId, 'keyed', 1, 'next')).toMatchObject({ sent: false, reason: 'superseded' });
  });

  it('of two workers at once one sends: the other knows before it begins, or may not', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 60 && seen.size < 2; round += 1) {
      const runId = await seedRun(db.database);
      await hot.step(runId, { begin: begin({ worker: 'slow' }) });
      const takeOver = () => hot.step(runId, { begin: begin({ worker: 'next' }) });
      const announce = () => send(runId, 'unsafe', 1, 'slow');
      const both = round % 2 === 0 ? [takeOver(), announce()] : [announce(), takeOver()];
      const answers = (await Promise.all(both)) as { sent?: boolean; reason?: string; begun?: unknown }[];
      const [attempt] = await db.admin.query<{ sent: number }>(
        'select effect_sent_count as sent from step_attempts where run_id = $1',
        [runId],
      );
      const slow = answers.find((answer) => answer.sent !== undefined);
      const next = answers.find((answer) => answer.begun !== undefined);
      if (slow?.sent === true) {
        expect([attempt?.sent, next?.begun]).toMatchObject([1, { effect: 'unsafe', effect_sent_count: 1 }]);
        expect(await send(runId, 'unsafe', 1, 'next')).toMatchObject({ sent: false, reason: 'outcome_unknown' });
      } else {
        expect(slow).toMatchObject({ sent: false, reason: 'superseded' });
        expect([attempt?.sent, next?.begun]).toMatchObject([0, { effect: null, effect_sent_count: 0 }]);
        expect(await send(runId, 'unsafe', 1, 'next')).toMatchObject({ sent: true });
      }
      seen.add(String(slow?.sent));
    }
    expect([...seen].sort()).toEqual(['false', 'true']);
  });

  it('needs an attempt, and a run that goes on', async () => {
    const runId = await seedRun(db.database);
    expect(await send(runId, 'unsafe')).toMatchObject({ sent: false, reason: 'no_attempt' });
    await hot.step(runId, { begin: begin() });
    await db.admin.query(`update runs set control = 'cancel' where id = $1`, [runId]);
    expect(await send(runId, 'unsafe')).toMatchObject({ sent: false, reason: 'closed' });
  });
});

describe('an effect on our own database', () => {
  it('happens once, in the transaction of its result', async () => {
    const runId = await seedRun(db.database);
    await db.admin.query('create table if not exists marks (id integer); grant insert on marks to af_app');
    const key = { effect_key: `${runId}/save`, try_no: 1 };
    const attempt = () =>
      hot.stepCommitting({ ownerId: OWNER, runId }, key, {}, async (sql) => {
        await sql.query('insert into marks values (1)');
        return record({ ...key, output: { value: 'saved' } });
      });
    const answers = await Promise.all([attempt(), attempt(), attempt()]);
    expect(answers.filter((answer) => answer.recorded === true)).toHaveLength(1);
    expect(answers.filter((answer) => answer.existing?.output?.value === 'saved')).toHaveLength(2);
    expect(await db.admin.query('select * from marks')).toHaveLength(1);
  });

  it('an effect that throws leaves neither rows nor a result', async () => {
    const runId = await seedRun(db.database);
    await db.admin.query('create table if not exists marks2 (id integer); grant insert on marks2 to af_app');
    const key = { effect_key: `${runId}/save`, try_no: 1 };
    const attempt = hot.stepCommitting({ ownerId: OWNER, runId }, key, {}, async (sql) => {
      await sql.query('insert into marks2 values (1)');
      throw new Error('no');
    });
    await expect(attempt).rejects.toThrow('no');
    expect(await db.admin.query('select * from marks2')).toHaveLength(0);
    expect((await hot.step(runId, { begin: begin(key) })).begun).toMatchObject({ result: null });
  });
});
