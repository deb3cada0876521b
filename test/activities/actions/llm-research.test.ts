import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { isJsonObject, type Json, type JsonObject } from '../../../core/base/json';
import type { ActionContext } from '../../../activities/actions/types';
import { GOOD, LlmFixture, REPORT } from '../llm-fixture';

let llm: LlmFixture;
beforeAll(async () => {
  llm = await LlmFixture.start();
});
afterAll(() => llm.close());
beforeEach(() => llm.reset());

const TOOLS = ['query_journal', 'transform_data'];

/** The loop as the engine runs it; every tool gives the same result. */
class Loop {
  readonly executed: { tool: string; inputs: JsonObject; params?: JsonObject }[] = [];
  readonly messages: Json[] = [];
  private round = 0;

  constructor(
    private readonly model: string,
    private readonly context: ActionContext,
    private readonly params: JsonObject = { tools: TOOLS, instructions: 'Find out.' },
  ) {}

  async turn(final = false): Promise<JsonObject> {
    this.round += 1;
    const action = llm.actions([this.model])['research_model_call'];
    const inputs = { subject: 'ACME', messages: this.messages, round: this.round, final };
    const context = { ...this.context, effectKey: `${this.context.effectKey}/~model${this.round}` };
    const outcome = await action?.(
      { action: 'research_model_call', inputs, params: this.params, output_schema: REPORT },
      context,
    );
    const output = (outcome as { output: JsonObject }).output;
    if (output['message'] !== null && output['message'] !== undefined) {
      this.messages.push(output['message']);
    }
    for (const call of output['tool_calls'] as JsonObject[]) {
      this.answer(call);
    }
    return output;
  }

  private answer(call: JsonObject): void {
    const error = call['error'];
    const content: JsonObject =
      typeof error === 'string' ? { error: { code: 'invalid_tool_call', message: error } } : { result: [{ found: 1 }] };
    if (error === undefined) {
      this.executed.push(call as never);
    }
    this.messages.push({ role: 'tool', tool_call_id: call['id'] ?? '', tool: call['tool'] ?? '', content });
  }
}

async function loop(model: string, params?: JsonObject): Promise<Loop> {
  return new Loop(model, await llm.context({ stepPath: 'research' }), params);
}

/** Requests that were answered by the script: not those which only pointed to another path. */
function answered(): typeof llm.server.requests {
  const byResponses = llm.server.requests.some((seen) => seen.protocol === 'openai-responses');
  return llm.server.requests.filter((seen) => !byResponses || seen.protocol === 'openai-responses');
}

const JOURNAL = { name: 'query_journal', arguments: { limit: 5 } };

describe.each(['openai/gpt-4.1', 'openai/gpt-6-sol', 'anthropic/claude-sonnet-5-5'])('research with %s', (model) => {
  it('calls tools in rounds and ends with the structured result', async () => {
    llm.server.enqueue(
      { thinking: 'I should look.', text: 'Looking.', tool_calls: [JOURNAL, { ...JOURNAL, id: 'second' }] },
      { tool_calls: [JOURNAL] },
      { json: GOOD },
    );
    const research = await loop(model);
    expect(await research.turn()).toMatchObject({
      done: false,
      tool_calls: [{ tool: 'query_journal', params: { limit: 5 } }, { id: 'second' }],
    });
    expect(await research.turn()).toMatchObject({ done: false });
    expect(await research.turn()).toMatchObject({ done: true, result: GOOD, tool_calls: [] });
    expect(research.executed).toHaveLength(3);
    expect(JSON.stringify(answered()[2]?.body)).toContain('<data name=\\"query_journal\\">');
  });

  it('the last call must give the result: tools stay known and may not be called', async () => {
    llm.server.enqueue({ tool_calls: [JOURNAL] }, { json: GOOD });
    const research = await loop(model);
    await research.turn();
    expect(await research.turn(true)).toMatchObject({ done: true, result: GOOD });
    const body = answered()[1]?.body;
    expect(body?.['tools']).toHaveLength(2);
    expect(JSON.stringify(body?.['tool_choice'])).toContain('none');
    expect(JSON.stringify(body)).toContain('json_schema');
  });

  it('an answer without tool calls that does not fit is asked for once more, in form', async () => {
    llm.server.enqueue({ text: 'I think all is well.' }, { json: GOOD });
    expect(await (await loop(model)).turn()).toMatchObject({ done: true, result: GOOD });
  });

  it('F19g an unknown tool or wrong arguments: nothing is executed, the model is told', async () => {
    llm.server.enqueue(
      { tool_calls: [{ name: 'delete_everything', arguments: {} }] },
      {
        tool_calls: [
          { name: 'query_journal', arguments: { limit: 'many' } },
          { name: 'query_journal', arguments: '{"limit":' },
          { name: 'query_journal', arguments: '{"limit": 1, "limit": 500}' },
        ],
      },
      { json: GOOD },
    );
    const research = await loop(model);
    const first = await research.turn();
    expect(first).toMatchObject({ tool_calls: [{ tool: 'delete_everything', inputs: {} }] });
    expect((first['tool_calls'] as JsonObject[])[0]?.['error']).toMatch(/^unknown_tool: .*query_journal/);
    const second = (await research.turn())['tool_calls'] as JsonObject[];
    expect(second.map((call) => call['error'])).toEqual([
      expect.stringMatching(/^invalid_tool_arguments: \/limit must be integer/),
      expect.stringMatching(/not a JSON object/),
      expect.stringMatching(/the key "limit" stands twice in one object/),
    ]);
    expect(await research.turn()).toMatchObject({ done: true });
    expect(research.executed).toEqual([]);
    expect(JSON.stringify(answered()[1]?.body)).toContain('unknown_tool');
  });

  it('F19g is bounded: three rounds of bad calls end in a code, each booked once', async () => {
    const bad = { tool_calls: [{ name: 'nope', arguments: {} }] };
    llm.server.enqueue(bad, bad, bad);
    const context = await llm.context({ stepPath: 'research' });
    const research = new Loop(model, context);
    await research.turn();
    await research.turn();
    await expect(research.turn()).rejects.toMatchObject({ code: 'llm_invalid_tool_call' });
    expect((await llm.books(context.runId)).outcomes).toEqual(['ok', 'ok', 'ok']);
  });

  it('calls beyond what the engine executes are answered all the same', async () => {
    llm.server.enqueue(
      { tool_calls: Array.from({ length: 3 }, (_, n) => ({ ...JOURNAL, id: `c${n}` })) },
      { json: GOOD },
    );
    const research = await loop(model);
    await research.turn();
    research.messages.pop();
    expect(await research.turn()).toMatchObject({ done: true });
  });

  it('splits the arguments into inputs and params of the action', async () => {
    const args = { data: [{ a: 1 }], operations: [{ type: 'limit', value: 1 }] };
    llm.server.enqueue({ tool_calls: [{ name: 'transform_data', arguments: args }] });
    const output = await (await loop(model)).turn();
    expect(output['tool_calls']).toEqual([
      expect.objectContaining({ inputs: { data: args.data }, params: { operations: args.operations } }),
    ]);
  });

  it('a final answer that never fits ends in llm_invalid_output', async () => {
    llm.server.enqueue({ json: {} }, { json: {} });
    await expect((await loop(model)).turn(true)).rejects.toMatchObject({ code: 'llm_invalid_output' });
  });
});

it.each([
  ['anthropic/claude-sonnet-5-5', 'anthropic/claude-opus-5-5'],
  ['openai/gpt-6-sol', 'openai/gpt-6.2-sol'],
])('keeps the signed reasoning of %s and does not show it to %s', async (model, another) => {
  const research = await loop(model);
  llm.server.enqueue({ thinking: 'Secret plan.', tool_calls: [JOURNAL] }, { json: GOOD }, { json: GOOD });
  await research.turn();
  await research.turn();
  expect(JSON.stringify(answered()[1]?.body)).toContain('c2lnbmVk');
  const other = new Loop(another, await llm.context());
  other.messages.push(...research.messages.slice(0, 2));
  await other.turn();
  expect(JSON.stringify(answered()[2]?.body)).not.toContain('c2lnbmVk');
});

describe('tools', () => {
  it.each([
    ['an unknown one', ['nope']],
    ['one with an effect', ['save_to_workspace']],
    ['a connector without endpoint', ['call_connector']],
    ['a model step', ['llm_analyze']],
  ])('refuses %s before anything is billed', async (_name, tools) => {
    await expect((await loop('openai/gpt-4.1', { tools })).turn()).rejects.toMatchObject({
      code: 'invalid_tools',
      problems: [{ field: 'params.tools' }],
    });
    expect(llm.server.requests).toHaveLength(0);
  });

  it('offers endpoints of pinned connectors as connector.endpoint, if they only read', async () => {
    const versionId = await saveConnector();
    const context = await llm.context({ connectors: { 'sec-edgar': versionId } });
    llm.server.enqueue({ tool_calls: [{ name: 'sec-edgar__search', arguments: { q: 'acme' } }] });
    const research = new Loop('openai/gpt-4.1', context, { tools: ['sec-edgar.search'] });
    expect(await research.turn()).toMatchObject({ tool_calls: [{ tool: 'sec-edgar.search', inputs: { q: 'acme' } }] });
    const writing = new Loop('openai/gpt-4.1', context, { tools: ['sec-edgar.submit'] });
    await expect(writing.turn()).rejects.toMatchObject({
      code: 'invalid_tools',
      message: expect.stringContaining('only be given tools that read'),
    });
  });

  it('without tools it is one answer', async () => {
    llm.server.enqueue({ json: GOOD });
    expect(await (await loop('openai/gpt-4.1', {})).turn()).toMatchObject({ done: true, result: GOOD });
    expect(llm.server.requests[0]?.body).not.toHaveProperty('tools');
  });
});

async function saveConnector(): Promise<string> {
  const parameter = (name: string): JsonObject => ({ name, in: 'query', type: 'string', required: true });
  const endpoint = (effect: string): JsonObject => ({
    method: 'GET',
    path: '/x',
    parameters: [parameter('q')],
    body_format: 'json',
    response_format: 'json',
    effect,
  });
  const definition = {
    schema: 1,
    id: 'sec-edgar',
    name: 'SEC EDGAR',
    type: 'rest_api',
    connection: { base_url: 'https://example.org', headers: {}, auth: { type: 'none' }, timeout_seconds: 30 },
    endpoints: { search: endpoint('none'), submit: endpoint('unsafe') },
  };
  const connectorId = randomUUID();
  const versionId = randomUUID();
  await llm.db.admin.query(
    `insert into connectors (id, owner_id, slug, name, type) values ($1, (select id from users where handle = 'local'), 'sec-edgar', 'SEC EDGAR', 'rest_api')`,
    [connectorId],
  );
  await llm.db.admin.query(
    `insert into connector_versions (id, connector_id, owner_id, version_no, content_hash, source_format, source, definition)
     values ($1, $2, (select id from users where handle = 'local'), 1, 'h', 'yaml', 'x', $3)`,
    [versionId, connectorId, JSON.stringify(definition)],
  );
  expect(isJsonObject(definition as never)).toBe(true);
  return versionId;
}
