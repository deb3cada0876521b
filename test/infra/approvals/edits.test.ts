import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import { editProblem } from '../../../infra/approvals/edit-check';
import { editSchemaOf } from '../../../infra/approvals/edit-schemas';
import { readConnector } from '../../../connectors/definition/read-connector';

const TEXT = `id: pay
name: Pay
type: rest_api
connection: {base_url: "https://pay.example.org"}
endpoints:
  send:
    method: POST
    path: /payments
    parameters:
      - {name: amount, type: number, required: true}
      - {name: count, type: integer}
      - {name: to, type: string, required: true, enum: [ann, bob]}
      - {name: grade, type: integer, enum: [1, 2]}
      - {name: urgent, type: boolean, default: false}
      - {name: lines, type: array}`;

const CALL = {
  action: 'call_connector',
  params: { connector: 'pay', endpoint: 'send' },
  inputs: { amount: 5, to: 'ann' },
};

async function problem(
  edits: JsonObject,
  call: { action: string; params: Json; inputs: Json } = CALL,
): Promise<string> {
  const { definition } = readConnector(TEXT);
  const versions = { version: async (_owner: string, id: string) => (id === 'v1' ? { body: definition } : null) };
  const schema = await editSchemaOf(versions, { ownerId: 'me', pins: { pay: 'v1', lost: 'v2' } }, call);
  return editProblem(schema ?? null, edits) ?? '';
}

describe("edited inputs of a connector call are checked against the endpoint's parameters", () => {
  it.each<[string, JsonObject, string]>([
    ['what fits', { amount: 5.5, count: 2, to: 'bob', grade: 2, urgent: true, lines: [1] }, ''],
    ['nothing', {}, ''],
    ['an optional one taken away', { count: null, urgent: null }, ''],
    [
      'null where the options do not name it',
      { grade: null },
      '`edits/grade` must be equal to one of the allowed values.',
    ],
    ['another type', { amount: 'much' }, '`edits/amount` must be number.'],
    ['a fraction', { count: 1.5 }, '`edits/count` must be integer.'],
    ['none of the options', { to: 'eve' }, '`edits/to` must be equal to one of the allowed values.'],
    ['none of the numbers', { grade: 3 }, '`edits/grade` must be equal to one of the allowed values.'],
    ['a required one taken away', { amount: null }, '`edits/amount` must be number.'],
    ['an unknown name', { amuont: 5 }, '`edits/amuont` is no input of the action. Did you mean "amount"?'],
    ['no list', { lines: 'a' }, '`edits/lines` must be array.'],
  ])('%s', async (_what, edits, expected) => {
    if (expected === '') expect(await problem(edits)).toBe('');
    else expect(await problem(edits)).toContain(expected);
  });

  it('say what to do with a number that no double holds, and take its text where one is declared', async () => {
    for (const text of ['12345678901234567890', '0.1234567890123456789', '1e400'])
      expect(await problem({ amount: text, to: null })).toContain(
        `\`edits/amount\` must be number. ${text} has more digits than a number holds, or is too large or small for one, so it would be rounded. Give a number of at most 15 digits, or let the author declare the parameter as \`string\``,
      );
    expect(await problem({ count: '12345678901234567890' })).toMatch(
      /^`edits\/count` must be integer\. 1234.*written\.$/,
    );
    expect(await problem({ amount: '12' })).toBe('`edits/amount` must be number.');
    const journal = { action: 'write_journal_entry', params: {}, inputs: { summary: 'x' } };
    expect(await problem({ summary: '12345678901234567890' }, journal)).toBe('');
  });

  it('where the definition cannot be read, and where nothing is behind the gate, nothing can be edited', async () => {
    const none = 'This approval has no inputs that could be edited.';
    const to = (connector: string, endpoint: string) => ({ ...CALL, params: { connector, endpoint } });
    expect(await problem({ amount: 1 }, to('lost', 'send'))).toBe(none);
    expect(await problem({ amount: 1 }, to('pay', 'gone'))).toBe(none);
    expect(await problem({ amount: 1 }, to('other', 'send'))).toBe(none);
    expect(await problem({}, to('lost', 'send'))).toBe('');
    expect(editProblem(null, { amount: 1 })).toBe(none);
    expect(editProblem([], { amount: 1 })).toBe(none);
    expect(editProblem(null, {})).toBeUndefined();
  });
});
