import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerEvent } from '../../cli/http/server-events';
import { watchRun } from '../../cli/watch-run';
import { serveApi, type ServedApi } from './served-api';

type Answer = [status: number, body: object];

const APPROVED: Answer = [200, { approvalId: 'a1', decisionId: 'd', state: 'counted', decision: 'approve' }];
const refused = (status: number, code: string): Answer => [status, { code, detail: `Because of ${code}.` }];

const served: ServedApi[] = [];
let out = '';
let errors: string[] = [];
beforeEach(() => {
  out = '';
  errors = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true));
  jest.spyOn(console, 'error').mockImplementation((line: unknown) => void errors.push(String(line)));
});
afterEach(async () => {
  jest.restoreAllMocks();
  for (const one of served.splice(0)) await one.close();
});

interface Scene {
  /** Answers of the API, one for each call; the last one repeats. */
  answers: Answer[];
  reads?: Answer[];
  quorum?: number;
  /** The request is one of a run below, which the run has started. */
  below?: boolean;
}

/** A run with one request. Its stream ends when the request is approved, or never. */
async function scene({ answers, reads = [], quorum = 1, below = false }: Scene): Promise<{
  api: ServedApi['api'];
  sent: { decisionId: string; digest: string }[];
}> {
  const sent: { decisionId: string; digest: string }[] = [];
  let end = () => {};
  let read = 0;
  const one = await serveApi((request, response) => {
    const say = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const path = new URL(request.url ?? '', 'http://x').pathname;
    if (path.endsWith('/events')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (below && path.includes('/r1/'))
        response.write('id: 1\nevent: child.started\ndata: {"child":"c1","step_path":"sub"}\n\n');
      else response.write('id: 1\nevent: approval.requested\ndata: {"approvalId":"a1","step_path":"review"}\n\n');
      // The run ends when it has its answer; the one below it goes on.
      if (path.includes('/r1/')) end = () => response.end('id: 2\nevent: complete\ndata: {}\n\n');
    } else if (path.endsWith('/approve')) {
      let text = '';
      request.on('data', (chunk) => (text += String(chunk)));
      request.on('end', () => {
        const { decisionId, digest } = JSON.parse(text) as (typeof sent)[number];
        const [status, body] = answers[Math.min(sent.length, answers.length - 1)] ?? APPROVED;
        sent.push({ decisionId, digest });
        say(status, body);
        if (status === 200 || status === 409) setTimeout(() => end(), 20);
      });
    } else if (path.includes('/approvals/')) {
      const [status, body] = reads[read++] ?? [
        200,
        {
          approvalId: 'a1',
          runId: 'r1',
          step_path: 'review',
          status: 'waiting',
          prompt: 'Write it?',
          digest: `digest-${sent.length}`,
          may_decide: true,
          rules: { quorum, approvals: 0, approvers: [], unknown_approvers: [] },
        },
      ];
      say(status, body);
    } else {
      say(200, { runId: 'r1', status: 'complete' });
    }
  });
  served.push(one);
  return { api: one.api, sent };
}

it('a step that waits for a person is told while the run is followed: why, and what to do', async () => {
  const wait = { kind: 'attention', step_path: 'post', since: '2026-01-01T00:00:00Z', code: 'effect_outcome_unknown' };
  let asked = 0;
  const one = await serveApi((request, response) => {
    if (new URL(request.url ?? '', 'http://x').pathname.endsWith('/events')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const path of ['post', 'resolved'])
        response.write(`event: step.waiting\ndata: {"step_path":"${path}","reason":"attention"}\n\n`);
      const end = setInterval(
        () => asked >= 2 && (clearInterval(end), response.end('event: complete\ndata: {}\n\n')),
        5,
      );
      return;
    }
    asked += 1;
    const run = { runId: 'r1', status: 'complete', waits: [{ ...wait, message: 'Nobody knows whether it arrived.' }] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(run));
  });
  served.push(one);
  await watchRun(one.api, 'r1', { approve: false });
  expect(out).toContain(
    "waits for attention at post since 2026-01-01T00:00:00Z: effect_outcome_unknown: Nobody knows whether it arrived.\n  say what became of it: af resolve r1 'post' done|not_done|repeat",
  );
  expect(out).not.toContain('at resolved');
});

describe('af run --approve', () => {
  it.each([
    [403, 'four_eyes'],
    [403, 'key_may_not_decide'],
    [404, 'approval_not_found'],
    [500, 'internal_error'],
  ])('ends at once where the approval is refused for good (%i %s), and says what and why', async (status, code) => {
    const { api, sent } = await scene({ answers: [refused(status, code)] });
    await expect(watchRun(api, 'r1', { approve: true })).rejects.toMatchObject({
      code,
      exitCode: 1,
      message: `The request a1 of step review is not approved: ${code}: Because of ${code}. It waits for others, and the run goes on: af approvals a1, af runs r1.`,
    });
    expect(sent).toHaveLength(1);
    expect(out).toContain('Approval wanted: Write it?');
    expect(out).not.toContain('Approved');
  });

  it('tries again what may pass, as the same decision, and says so once', async () => {
    const answers = [
      refused(503, 'database_unavailable'),
      refused(429, 'too_many_requests'),
      refused(502, 'x'),
      APPROVED,
    ];
    const { api, sent } = await scene({ answers });
    expect(await watchRun(api, 'r1', { approve: true })).toMatchObject({ status: 'complete' });
    expect(sent).toHaveLength(4);
    expect(new Set(sent.map(({ decisionId }) => decisionId)).size).toBe(1);
    expect(out.match(/is not approved yet: .*/g)).toEqual([
      'is not approved yet: database_unavailable: Because of database_unavailable. Trying again.',
    ]);
    expect(out).toContain('Approved.');
  });

  it('with --json says the same on standard error', async () => {
    const events: ServerEvent[] = [];
    const { api } = await scene({ answers: [refused(503, 'database_unavailable'), refused(403, 'four_eyes')] });
    const jsonEvents = (event: ServerEvent) => void events.push(event);
    await expect(watchRun(api, 'r1', { approve: true, jsonEvents })).rejects.toMatchObject({ code: 'four_eyes' });
    expect(errors.map((line) => (JSON.parse(line) as { code: string }).code)).toEqual(['database_unavailable']);
    expect(events.map(({ event }) => event)).toEqual(['approval.requested']);
    expect(out).toBe('');
  });

  it('shows anew what changed since it was shown, and approves that', async () => {
    const { api, sent } = await scene({ answers: [refused(409, 'approval_changed'), APPROVED] });
    // The stream goes on: the first 409 is no end.
    await watchRun(api, 'r1', { approve: true });
    expect(sent.map(({ digest }) => digest)).toEqual(['digest-0', 'digest-1']);
    expect(out.match(/Approval wanted/g)).toHaveLength(2);
  });

  it.each([['approval_already_decided'], ['run_closed'], ['already_approved'], ['approval_due_passed']])(
    'a request that is settled (%s) is no failure',
    async (code) => {
      const { api } = await scene({ answers: [refused(409, code)] });
      expect(await watchRun(api, 'r1', { approve: true })).toMatchObject({ status: 'complete' });
    },
  );

  it('approves the requests of the runs below, and ends with its own', async () => {
    const { api, sent } = await scene({ answers: [APPROVED], below: true });
    expect(await watchRun(api, 'r1', { approve: true })).toMatchObject({ status: 'complete' });
    expect(sent).toHaveLength(1);
    expect(out).toContain('Approval wanted: Write it?');
    const refusedBelow = await scene({ answers: [refused(403, 'four_eyes')], below: true });
    await expect(watchRun(refusedBelow.api, 'r1', { approve: true })).rejects.toMatchObject({ code: 'four_eyes' });
  });

  it('of several that are needed says how many there are', async () => {
    const { api } = await scene({ answers: [APPROVED], quorum: 3 });
    await watchRun(api, 'r1', { approve: true });
    expect(out).toContain('Approved; 1 of the 3 approvals that are needed.');
  });
});

describe('af run --follow', () => {
  it('goes on where a request cannot be shown, and says why', async () => {
    const { api } = await scene({ answers: [], reads: [refused(503, 'later'), refused(404, 'approval_not_found')] });
    const gone = new AbortController();
    const watching = watchRun(api, 'r1', { approve: false, signal: gone.signal });
    while (!out.includes('cannot be shown')) await sleep(10);
    gone.abort();
    await watching;
    expect(out).toContain('The request a1 is not read yet: later: Because of later. Trying again.');
    expect(out).toContain('The request a1 cannot be shown: approval_not_found: Because of approval_not_found.');
  });
});
