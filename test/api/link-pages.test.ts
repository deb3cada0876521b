import { createHash, randomUUID } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import type { Json } from '../../core/base/json';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { LINK_SCRIPT } from '../../src/approvals/link-script';
import { PREFIX, startApi, TWO_STEPS, type TestApi } from './api-fixture';

/** Headers of a browser that opens a link; programs get JSON. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const EVIL = `<img src=x onerror="alert('1')">`;
const DIGEST = 'd'.repeat(64);

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await api.call('POST', '/playbooks', { source: TWO_STEPS });
});
afterAll(() => api.close());

async function linkTo(
  preview: Json,
  more: { link_only?: boolean; quorum?: number; approvers?: { users: string[] } } = {},
  question = `Go on? ${EVIL}`,
): Promise<{ id: string; path: string }> {
  const { body } = await api.call('POST', '/runs', { playbook: 'two-steps', inputs: { rows: [] } });
  const id = randomUUID();
  const asked = {
    id,
    step_path: 'gate',
    step_name: 'gate',
    status: 'waiting' as const,
    prompt: question,
    preview,
    preview_total: 500,
    action: { step: EVIL, inputs: { to: EVIL } },
    digest: DIGEST,
    edit_schema: {},
    on_reject: 'stop' as const,
    on_timeout: 'stop' as const,
    due_at: null,
  };
  await new TransitionsStore(api.database).apply(String(body['runId']), {
    approvals: [{ ...asked, ...(Object.keys(more).length > 0 && { policy: more }) }],
  });
  const made = await api.call('POST', `/approvals/${id}/links`, { user: LOCAL_USER_ID });
  return { id, path: String(made.body['url']) };
}

async function page(path: string): Promise<{ status: number; text: string; policy: string }> {
  const answer = await fetch(api.url + path, { headers: { accept: BROWSER } });
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const policy = answer.headers.get('content-security-policy') ?? '';
  return { status: answer.status, text: await answer.text(), policy };
}

const between = (text: string, tag: string): string =>
  new RegExp(`(?<=<${tag}>)[^]*(?=</${tag}>)`).exec(text)?.[0] ?? '';
const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Runs the page's script for a pressed button, with as little of a browser as it needs. */
async function pressed(
  text: string,
  path: string,
  decision: string,
  send: (at: URL, init?: RequestInit) => Promise<Response> = fetch,
): Promise<{ said: string; facts: string }> {
  const output = { textContent: '', className: '' };
  let facts = '';
  let press: (event: object) => Promise<void> = () => Promise.resolve();
  const form = {
    dataset: { at: /data-at="([^"]+)"/.exec(text)?.[1] },
    elements: { instructions: { value: '' } },
    addEventListener: (_name: string, listener: typeof press) => (press = listener),
    reportValidity: () => true,
    querySelectorAll: () => [],
    querySelector: (what: string) =>
      what === 'output'
        ? output
        : what === '.about'
          ? { replaceWith: (found: string) => (facts = found) }
          : { hidden: true },
  };
  const parsed = (page: string) => ({
    querySelector: () => /(?<=<div class="about">)[^]*(?=<\/div>)/.exec(page)?.[0] ?? null,
  });
  runInNewContext(LINK_SCRIPT, {
    document: { querySelector: () => form },
    location: { href: api.url + path },
    fetch: (at: string, init?: RequestInit) => send(new URL(at, api.url), init),
    DOMParser: class {
      parseFromString = parsed;
    },
  });
  await press({ target: { closest: () => ({ value: decision }) } });
  return { said: output.textContent, facts };
}

describe('the page of an approval link', () => {
  it('shows what is asked and what will be done, as text, and has what decides it', async () => {
    const { path } = await linkTo([{ name: 'Quast', amount: 3 }, { name: EVIL }]);
    const { status, text, policy } = await page(path);
    expect(status).toBe(200);
    expect(text).not.toContain('<img');
    expect(text.split('onerror=').length - 1).toBe(5);
    expect(text).toContain('2 of 500 rows;');
    expect(text).toContain(`data-at="${path}/decide"`);
    expect(policy).toContain(`script-src ${sourceOf(between(text, 'script'))};`);
    expect(policy).toContain(`style-src ${sourceOf(between(text, 'style'))};`);
    expect(policy).toContain("default-src 'none'");
  });

  it('names playbook, run, who asks and whose decision it is; numbers stand right, with separators; the call is folded', async () => {
    const { id, path } = await linkTo([
      { name: 'Quast', amount: 7073443.5, year: 2015 },
      { name: 'Ziegler', amount: 3, year: 2016 },
    ]);
    const { body } = await api.call('GET', `/approvals/${id}`);
    const { text } = await page(path);
    expect(text).toMatch(/<dt>Playbook<\/dt><dd>[^<]+ <span class="quiet">two-steps</);
    expect(text).toContain(`<dt>Run</dt><dd><code>${String(body['runId'])}</code>, step gate</dd>`);
    expect(text).toMatch(/<dt>Asked by<\/dt><dd>local, /);
    expect(text).toContain('<dt>To decide</dt><dd><strong>local</strong></dd>');
    expect(text).toContain('<button type="button" value="approve">Approve as local</button>');
    expect(text).toContain('<th scope="col" class="number">amount</th>');
    expect(text).toContain('<td class="number">7,073,443.5</td><td class="number">2015</td>');
    expect(text).toMatch(/<details><summary>The call as it will be made<\/summary>\s*<div[^>]*><pre>\{/);
  });

  it('of a request that needs several people says how many have approved', async () => {
    const { text } = await page((await linkTo([], { quorum: 2 })).path);
    expect(text).toContain('<dt>Approvals</dt><dd>0 of the 2 that are needed</dd>');
    expect((await page((await linkTo([])).path)).text).not.toContain('<dt>Approvals</dt>');
    expect(text).not.toContain('nobody answers');
  });

  it('shows the approvals as they are once its script has sent a decision', async () => {
    const { path } = await linkTo([], { quorum: 2, link_only: true });
    const { text } = await page(path);
    const shown = await pressed(text, path, 'approve');
    expect(shown.said).toMatch(/^(Done|Received)/);
    // Number as before, because nobody decides here: what counts is that the page was requested and read.
    expect(shown.facts).toContain('0 of the 2 that are needed');
  });

  it('names approvers that nobody is', async () => {
    const { text } = await page((await linkTo([], { approvers: { users: ['local', 'gone'] } })).path);
    expect(text).toContain('nobody answers for them (no such name, or the account is deactivated): gone.');
  });

  it('says once what is alike in all rows, however long it is: the table has the columns in which they differ', async () => {
    const same = { source: 'irs-990-xml', filer: 'Pasadena Community Foundation '.repeat(20), year: 2015, note: null };
    const { text } = await page(
      (
        await linkTo([
          { ...same, amount: 1, who: 'A' },
          { ...same, amount: 2, who: 'B' },
        ])
      ).path,
    );
    const heads = [...text.matchAll(/<th scope="col"[^>]*>([^<]+)</g)].map(([, name]) => name);
    expect(heads).toEqual(['amount', 'who']);
    expect(text).toContain('<tr><td class="number">1</td><td>A</td></tr>');
    const [, list = ''] = /<summary>The same in each of the 2 rows<\/summary>\s*<dl>([^]*?)<\/dl>/.exec(text) ?? [];
    const said = [...list.matchAll(/<dt>([^<]+)<\/dt><dd>(?:<span class="quiet">)?([^<]*)/g)];
    expect(said.map(([, name, value]) => [name, value])).toEqual([
      ['source', 'irs-990-xml'],
      ['filer', same.filer],
      ['year', '2015'],
      ['note', 'no value'],
    ]);
  });

  it('shows no empty table where all rows are alike, and gives long texts room', async () => {
    const alike = await page((await linkTo([{ who: 'A' }, { who: 'A' }])).path);
    expect(alike.text).toContain('<dt>who</dt><dd>A</dd>');
    expect(alike.text).not.toContain('<table');
    const long = await page((await linkTo([{ why: 'a word '.repeat(9) }, { why: 'short' }])).path);
    expect(long.text).toContain('<th scope="col" class="long">why</th>');
    expect(long.text).toContain('<td class="long">short</td>');
  });

  it('is decided by a press of a button alone: Enter in a field sends nothing', async () => {
    const { text } = await page((await linkTo([])).path);
    const form = /<form[^]*<\/form>/.exec(text)?.[0] ?? '';
    // A submit button, or a single field beside none, is what makes Enter submit a form.
    expect(form.match(/<button/g)).toHaveLength(2);
    expect(form.match(/<button type="button"/g)).toHaveLength(2);
    expect(form).not.toMatch(/type="(submit|image)"/);
    expect(form.match(/<input/g)).toHaveLength(2);
    expect(between(text, 'script').match(/addEventListener\('\w+'/g)).toEqual(["addEventListener('click'"]);
  });

  it('shows a table whole, also with lists in it', async () => {
    const rows = Array.from({ length: 300 }, (_, no) => ({
      no,
      tags: ['a', String(no)],
      ...Object.fromEntries(Array.from({ length: 25 }, (__, at) => [`c${at}`, at + no])),
    }));
    const { text } = await page((await linkTo(rows)).path);
    expect(text.match(/<tr>/g)).toHaveLength(301);
    expect(text).toContain('<th scope="col" class="number">c24</th>');
    expect(text).toContain('<td>[&#34;a&#34;,&#34;299&#34;]</td>');
  });

  it('shows data that are no rows as JSON, and cuts what is too long', async () => {
    const { path } = await linkTo({ deep: [{ list: [1] }], long: 'x'.repeat(30_000) });
    const { text } = await page(path);
    expect(text).toContain('&#34;deep&#34;: [');
    expect(text).toMatch(/The first 20000 of 30\d\d\d characters\./);
    expect(text.length).toBeLessThan(40_000);
  });

  it('shows what nobody would see of a text, wherever it stands', async () => {
    const { path } = await linkTo(
      [{ '\u200bwho': 'Acme \u202egnp.cod\u202c' }, { '\u200bwho': 'B' }],
      {},
      'Pay \u2066x?',
    );
    const { text } = await page(path);
    for (const shown of ['Acme \\u202egnp.cod\\u202c', '>\\u200bwho<', 'Pay \\u2066x?']) expect(text).toContain(shown);
    expect(text).not.toMatch(/[\u200b\u202a-\u202e\u2066-\u2069]/);
  });

  it('says that there are no rows, and breaks no date', async () => {
    expect((await page((await linkTo([])).path)).text).toContain('<p class="quiet">No rows.</p>');
    const rows = [
      { day: '2015-12-31', at: '2015-12-31T10:00:00.000Z', no: '12-345', on: '2016-01-01' },
      { day: '', at: '2015-12-31 10:00 UTC', no: '2015-12-31', on: '2016-01-01' },
    ];
    const { text } = await page((await linkTo(rows)).path);
    expect(text).toContain(
      '<td class="date">2015-12-31</td><td class="date">2015-12-31T10:00:00.000Z</td><td>12-345</td>',
    );
    expect(text).toContain('<dd class="date">2016-01-01</dd>');
  });

  it('offers nothing when nothing is left to decide, and says why', async () => {
    const { path } = await linkTo([], { link_only: true });
    expect((await page(path)).text).toContain(`data-at="${path}"`);
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ decision: 'approve' });
    expect((await fetch(api.url + path, { method: 'POST', headers, body })).status).toBe(202);
    const { text } = await page(path);
    expect(text).toMatch(/This link was used: local approved on <time [^>]+>[^<]+ UTC<\/time>\. It counts as soon as/);
    expect(text).not.toContain('<form');
  });

  it('says in plain words that the request was changed meanwhile; loaded anew it shows what is asked now, and says what to do', async () => {
    const { id, path } = await linkTo([], { link_only: true });
    const { text } = await page(path);
    const edited = await api.call('POST', `/approvals/${id}/edit`, { edits: { to: 'Bob' }, digest: DIGEST });
    expect(edited.status).toBe(200);
    const { said, facts } = await pressed(text, path, 'approve');
    // No worker runs here: the run refuses the decision when it hears of it.
    expect(said).toMatch(/^Received|^Nothing was decided: somebody changed the request/);
    expect(facts === '' || facts.includes('was changed')).toBe(true);
    const { text: anew } = await page(path);
    expect(anew).toMatch(
      /This request was changed by local on <time [^>]+>\d{4}-\d\d-\d\d \d\d:\d\d UTC<\/time>, after this link was made/,
    );
    expect(anew).toContain(
      `ask local for a new link, or sign in with the command line and look at it there: <code>af approvals ${id}</code>`,
    );
    expect(anew).toContain('&#34;to&#34;: &#34;Bob&#34;');
    expect(anew).not.toContain('<form');
    const answer = await fetch(api.url + path, { headers: { accept: 'application/json' } });
    expect(await answer.json()).toMatchObject({ usable: false, unusable_because: 'changed' });
  });

  it.each([
    ['approval_changed', /^Nothing was decided: somebody changed the request.*Reload the page/],
    ['approval_already_decided', /^Nothing was decided: somebody decided this before you\. Reload the page/],
    ['four_eyes', /^words of the API$/],
  ])('tells a person what became of their press: %s', async (code, words) => {
    const { path } = await linkTo([]);
    const { text } = await page(path);
    const refused = (): Promise<Response> =>
      Promise.resolve(Response.json({ code, detail: 'words of the API' }, { status: 409 }));
    expect((await pressed(text, path, 'approve', refused)).said).toMatch(words);
  });

  it.each([
    [
      'rejected',
      'local',
      /<strong>This was rejected by local on <time [^>]+>2026-11-29 17:12 UTC<\/time>\.<\/strong> The run stopped\./,
    ],
    ['approved', 'local', /<strong>This was approved by local on <time [^>]+>2026-11-29 17:12 UTC/],
    ['timed_out', null, /<strong>Nobody decided this in time: its time was over on <time [^>]+>2026-11-29 17:12 UTC/],
    ['cancelled', null, /<strong>The run ended before anybody decided this on <time [^>]+>2026-11-29 17:12 UTC/],
  ])('of a request that is %s says what happened, and nothing of what will be done', async (status, by, words) => {
    const { id, path } = await linkTo([{ n: 1 }], { link_only: true });
    const decision = status === 'rejected' ? 'reject' : 'approve';
    if (by !== null) {
      const body = JSON.stringify({ decision, instructions: 'Because \u202eof <this>' });
      const headers = { 'content-type': 'application/json' };
      expect((await fetch(api.url + path, { method: 'POST', headers, body })).status).toBe(202);
      await api.admin.query(`update approval_decisions set state = 'counted' where approval_id = $1`, [id]);
    }
    await api.admin.query(
      `update approvals set status = $2, decided_by = $3, decided_at = '2026-11-29T17:12:00Z' where id = $1`,
      [id, status, by],
    );
    const { text } = await page(path);
    expect(text).toMatch(words);
    expect(text.includes('“Because \\u202eof &#60;this&#62;”')).toBe(by !== null);
    expect(text).not.toMatch(/What will be done|as it will be made|A yes lets|Behind it also|<form/);
    expect(text).toContain('<summary>The call that was asked about</summary>');
  });

  it('offers nothing once the time is over, also before the run has heard of it', async () => {
    const { id, path } = await linkTo([]);
    await api.admin.query(`update approvals set due_at = now() - interval '1 second' where id = $1`, [id]);
    const { text } = await page(path);
    expect(text).toContain('the time for this request is over since <time');
    expect(text).not.toContain('<form');
    const answer = await fetch(api.url + path, { headers: { accept: 'application/json' } });
    expect(await answer.json()).toMatchObject({ usable: false, approval: { status: 'waiting', due_passed: true } });
  });

  it('is for browsers alone', async () => {
    const { id, path } = await linkTo([]);
    for (const accept of ['*/*', 'application/json']) {
      const answer = await fetch(api.url + path, { headers: { accept } });
      expect(await answer.json()).toMatchObject({ usable: true, approval: { approvalId: id } });
    }
  });
});

describe('a link that does not work', () => {
  it.each([
    ['of an approval', `/links/approvals/${'x'.repeat(43)}`, 'There is no such link.'],
    ['of an account', `/auth/links/${'x'.repeat(43)}`, 'This link'],
  ])('%s says so on a page', async (_what, path, words) => {
    const { status, text } = await page(PREFIX + path);
    expect(status).toBe(404);
    expect(text).toContain('<h1>This link does not work</h1>');
    expect(text).toContain(words);
    expect(text).not.toContain('<script');
  });
});

describe('the page of an account link', () => {
  it('asks for what the link needs, and names whose it is', async () => {
    const { body: invite } = await api.call('POST', '/invites', { scopes: [] });
    const { body: signIn } = await api.call('POST', '/auth/sign-in-links');
    const invited = await page(new URL(String(invite['url'])).pathname);
    expect(invited.text).toContain('<h1>Make your account</h1>');
    expect(invited.text).toMatch(/name="handle".*required/);
    expect(invited.text).toMatch(/name="password".*minlength="12"/);
    const signed = await page(new URL(String(signIn['url'])).pathname);
    expect(signed.text).toContain('value="local"');
    expect(signed.text).not.toContain('type="password"');
    expect(signed.policy).toContain(sourceOf(between(signed.text, 'script')));
  });
});
