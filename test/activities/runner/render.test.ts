import { describe, expect, it } from '@jest/globals';
import { renderUnit, withRemarks, type Rendered } from '../../../activities/runner/render';
import { Values } from '../../../activities/runner/values';
import type { Json, JsonObject } from '../../../core/base/json';
import { LOCAL_USER_ID } from '../../../core/base/run-status';
import type { UnitCall } from '../../../core/engine/commands';
import type { StoredValue } from '../../../core/engine/values';
import { DirectoryBlobs } from '../../../infra/blob/directory-blobs';
import { newFolder } from '../../support/run-folder';

const values = new Values(new DirectoryBlobs(newFolder('blobs')), LOCAL_USER_ID);
const unit = (more: Partial<UnitCall>): UnitCall => ({
  path: 'u',
  name: 'u',
  key: 'u',
  effectKey: 'run/u',
  tryNo: 1,
  action: 'echo',
  inputs: {},
  params: {},
  refs: {},
  timeoutMs: 1000,
  valueLimit: 1_000_000,
  ...more,
});
const render = (more: Partial<UnitCall>, local: { [key: string]: StoredValue } = {}): Promise<Rendered> =>
  renderUnit(unit(more), new Map(Object.entries(local)), values);

describe('the inputs of a step', () => {
  const local = { a: { value: { v: 1, result: 'own', error: 'own', status: 'own', list: [5, 6] } } };
  const read = async (inputs: JsonObject): Promise<JsonObject> => (await render({ inputs }, local)).renderedInput;

  it('are read from the steps of the same segment, which succeeded', async () => {
    expect(await read({ v: '{a.v}', one: '{a.list[1]}', text: 'n={a.v}', all: '{a}' })).toEqual({
      v: 1,
      one: 6,
      text: 'n=1',
      all: local.a.value,
    });
    expect(await read({ s: '{a.status}', e: '{a.error}', d: '{a.decision}' })).toEqual({ s: 'ok', e: null, d: null });
    expect(await read({ v: '{a.result.v}', own: '{a.result.status}', whole: '{a.result}' })).toEqual({
      v: 1,
      own: 'own',
      whole: local.a.value,
    });
    expect(await read({ none: '{b.v}' })).toEqual({ none: null });
    const list = { a: { value: [{ n: 3 }] } };
    expect((await render({ inputs: { n: '{a[0].n}' } }, list)).renderedInput).toEqual({ n: 3 });
  });

  it('are what came with the step, before a result of the same name', async () => {
    const refs = { 'a.v': { kind: 'value' as const, value: 2 }, 'a.list': { kind: 'undefined' as const } };
    const { renderedInput } = await render({ inputs: { v: '{a.v}', list: '{a.list}' }, refs }, local);
    expect(renderedInput).toEqual({ v: 2, list: null });
  });

  it('tell what is null from what is not there, where a call hands them on', async () => {
    const refs = { n: { kind: 'value' as const, value: null } };
    const inputs = { n: '{n}', none: '{none}' };
    expect((await render({ action: 'call_connector', inputs, refs })).renderedInput).toEqual({ n: null });
    expect((await render({ inputs, refs })).renderedInput).toEqual({ n: null, none: null });
  });

  it.each<[string, JsonObject, Partial<UnitCall>, [string, string][]]>([
    ['nothing where all is there', { v: '{a.v}', n: '{n.x}' }, {}, []],
    ['one value', { id: '{a.gone}' }, {}, [['id', 'input `id`: `a.gone` is not there; the call goes without it.']]],
    [
      'several values of one input',
      { id: '{a.gone} of {a.v} or {a.also}' },
      {},
      [['id', 'input `id`: `a.gone`, `a.also` are not there; the call goes without it.']],
    ],
    [
      'a value deep in an input',
      { v: 1, filter: { by: ['{a.gone}'] } },
      {},
      [['filter', 'input `filter`: `a.gone` is not there; the call goes without it.']],
    ],
    ['nothing of a bare name, which may be left away', { id: '{none}', of: 'x {none}' }, {}, []],
    ['nothing of an input that a person gave', { id: '{a.gone}' }, { edits: { id: 5 } }, []],
    ['nothing of other actions', { id: '{a.gone}' }, { action: 'echo' }, []],
    [
      'a filter of the journal',
      { query: '{a.gone}' },
      { action: 'query_journal' },
      [['query', 'input `query`: `a.gone` is not there; the call goes without it.']],
    ],
  ])('say of a call what it goes without: %s', async (_what, inputs, more, absent) => {
    const refs = { 'n.x': { kind: 'value' as const, value: null } };
    const rendered = await render({ action: 'call_connector', inputs, refs, ...more }, local);
    if (absent.length === 0) return expect(rendered).not.toHaveProperty('absent');
    expect(rendered.absent).toStrictEqual(
      absent.map(([field, message]) => ({ code: 'input_not_there', field, message })),
    );
  });

  it.each<[Json, Json, Json]>([
    [{ n: 1 }, { n: 1 }, { n: 1, warnings: [{ code: 'x' }] }],
    [{ warnings: [1] }, { warnings: [1] }, { warnings: [{ code: 'x' }, 1] }],
    [{ warnings: 'none' }, { warnings: 'none' }, { warnings: [{ code: 'x' }] }],
    [[1], [1], [1]],
    [null, null, null],
  ])('are told beside the result %j', (output, whole, told) => {
    expect(withRemarks(output, {})).toBe(output);
    expect(withRemarks(output, { absent: [] })).toStrictEqual(whole);
    expect(withRemarks(output, { absent: [{ code: 'x' }] })).toStrictEqual(told);
  });

  it('give way to edits, which are never read as templates', async () => {
    const edits = { to: '{a.v}', $settings: { channel: 'mail', count: '{a.v}' } };
    const more = { inputs: { to: 'x', from: '{a.v}' }, params: { channel: 'post', limit: '{a.v}' }, edits };
    expect(await render(more, local)).toEqual({
      renderedInput: { to: '{a.v}', from: 1 },
      params: { channel: 'mail', limit: 1, count: '{a.v}' },
      shown: { inputs: { to: '{a.v}', from: 1 }, params: { channel: 'post', limit: 1 } },
    });
    expect((await render({ params: { p: 1 }, edits: { $settings: 'x' } })).params).toEqual({ p: 1 });
  });

  it('are lists of one where the action expects lists of texts', async () => {
    const refs = { who: { kind: 'value' as const, value: 'Ann' } };
    const journal = { action: 'write_journal_entry', refs, inputs: { summary: 's', entities_mentioned: '{who}' } };
    expect((await render(journal)).renderedInput).toEqual({ summary: 's', entities_mentioned: ['Ann'] });
  });
});

describe('what a run shows of the inputs', () => {
  const withText = (size: number, more: Partial<UnitCall> = {}): Promise<Rendered> =>
    render({
      inputs: { rows: '{rows}', text: 'all of {rows}' },
      params: { p: '{rows}' },
      refs: { rows: { kind: 'value', value: 'x'.repeat(size - 2) } },
      ...more,
    });

  it('names values of more than 64 KB in place of them', async () => {
    const small = await withText(65_536);
    expect(small.shown).toMatchObject({ inputs: { rows: small.renderedInput['rows'] } });
    const large = await withText(65_537);
    expect(large.shown).toEqual({
      inputs: { rows: '(large value of rows)', text: 'all of (large value of rows)' },
      params: { p: '(large value of rows)' },
    });
    expect(large.renderedInput['rows']).toHaveLength(65_535);
    expect(large.params['p']).toHaveLength(65_535);
  });

  it('says so where the whole is too large to show, and hands it on all the same', async () => {
    const edited = (size: number) => render({ edits: { text: 'x'.repeat(size) } });
    const around = JSON.stringify({ inputs: { text: '' }, params: {} }).length;
    expect((await edited(262_144 - around)).shown).toMatchObject({ params: {} });
    const { shown, renderedInput } = await edited(262_144 - around + 1);
    expect(shown).toEqual({ note: 'too large to show' });
    expect(renderedInput['text']).toHaveLength(262_144 - around + 1);
  });
});
