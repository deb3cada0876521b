import type { ServerResponse } from 'node:http';
import { isClosed } from './model-server-openai';
import type { Reply, ReplyContext, SeenRequest } from './model-server-types';
import { pieces, replyText, sendEvents, sendJson } from './model-server-wire';

type Item = { type?: string; role?: string; call_id?: string; encrypted_content?: string };

/** Faults for which the real responses API would refuse the request. */
export function checkResponses(seen: SeenRequest): Reply | undefined {
  const format = (seen.body['text'] as { format?: { strict?: boolean; schema?: unknown } } | undefined)?.format;
  if (format?.strict === true && !isClosed(format.schema)) {
    return badRequest("Invalid schema for response_format 'result'");
  }
  const open = new Set<string>();
  for (const item of seen.body['input'] as Item[]) {
    if (item.type === 'function_call') {
      open.add(item.call_id ?? '');
    } else if (item.type === 'function_call_output' && !open.delete(item.call_id ?? '')) {
      return badRequest(`No tool call found for function call output with call_id ${item.call_id}.`);
    }
  }
  return open.size > 0 ? badRequest(`No tool output found for function call ${[...open].join(', ')}.`) : undefined;
}

function badRequest(message: string): Reply {
  return { status: 400, error: { type: 'invalid_request_error', message } };
}

export async function sendResponses(context: ReplyContext, response: ServerResponse): Promise<void> {
  const { reply, request } = context;
  if (reply.status !== undefined) {
    const error = { param: null, code: null, ...(reply.error ?? { type: 'server_error', message: 'error' }) };
    return sendJson(response, reply.status, { error }, reply.headers);
  }
  const whole = answer(context);
  if (request.body['stream'] !== true || reply.whole === true) {
    return sendJson(response, 200, whole, reply.headers);
  }
  const event = (type: string, fields: object): { name: string; data: object } => ({
    name: type,
    data: { type, ...fields },
  });
  const events = [
    event('response.created', { response: { ...whole, output: [], status: 'in_progress' } }),
    event('response.in_progress', { response: { ...whole, output: [], status: 'in_progress' } }),
    ...pieces(replyText(reply), reply).map((delta) => event('response.output_text.delta', { output_index: 0, delta })),
    event(reply.stop === 'length' ? 'response.incomplete' : 'response.completed', { response: whole }),
  ];
  await sendEvents(response, reply, events, (error) =>
    event('error', { code: error.type, message: error.message, param: null }),
  );
}

function answer({ reply, model }: ReplyContext): object {
  const used = reply.usage === undefined ? { input: 100, output: 20 } : reply.usage;
  const usage =
    used === null
      ? null
      : {
          input_tokens: used.input,
          input_tokens_details: { cached_tokens: used.cached ?? 0 },
          output_tokens: used.output,
        };
  return {
    id: 'resp_stand_in',
    object: 'response',
    model,
    service_tier: reply.usage?.tier ?? 'default',
    status: reply.ends_as ?? (reply.stop === 'length' ? 'incomplete' : 'completed'),
    incomplete_details: reply.stop === 'length' ? { reason: 'max_output_tokens' } : null,
    error: null,
    output: output(reply),
    usage,
  };
}

function output(reply: Reply): object[] {
  const text = replyText(reply);
  const said =
    reply.refusal === undefined
      ? { type: 'output_text', text, annotations: [] }
      : { type: 'refusal', refusal: reply.refusal };
  const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [said] };
  return [
    ...(reply.thinking === undefined
      ? []
      : [{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'c2lnbmVk' }]),
    ...(text === '' && reply.refusal === undefined ? [] : [message]),
    ...(reply.tool_calls ?? []).map((call, index) => ({
      type: 'function_call',
      id: `fc_${index}`,
      call_id: call.id ?? `call_${index}_${call.name}`,
      name: call.name,
      arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
      status: 'completed',
    })),
  ];
}
