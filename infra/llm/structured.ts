import type { Json, JsonObject } from '../../core/base/json';
import type { OutputSchema } from '../../core/playbook/types';
import { resultSchema, type ResultSchema } from '../../core/schema/output-schema';
import { empty, invalidOutput, refused, truncated } from './errors';
import { parseOneMeaning } from './json-text';
import { schemaCheck, type SchemaCheck, type SchemaProblem } from './schema-check';
import type { ModelClient, ModelCompletion, ModelMessage, ModelRequest } from './types';

/** The shape that an answer must have, compiled once per step. */
export interface ResultContract {
  output: OutputSchema;
  schema: ResultSchema;
  check: SchemaCheck;
}

export function resultContract(output: OutputSchema): ResultContract {
  const schema = resultSchema(output);
  return { output, schema, check: schemaCheck(schema.check) };
}

export type ReadResult = { value: JsonObject } | { problems: SchemaProblem[] };

const REPAIR_CHARS = 20_000;

/**
 * Asks for a result and checks it. One more request is made when the answer is empty or does not fit,
 * with the exact problems; never after a cut-off or a refusal.
 * Throws `llm_truncated`, `llm_refused`, `llm_empty`, `llm_invalid_output`, or what the client throws.
 */
export async function completeStructured(
  client: ModelClient,
  request: ModelRequest,
  contract: ResultContract,
): Promise<JsonObject> {
  const { wire, strict } = contract.schema;
  const asking = { ...request, json_schema: { name: 'result', schema: wire, strict } };
  const first = requireComplete(await client.complete(asking), request);
  const read = readResult(first, contract);
  if ('value' in read) {
    return read.value;
  }
  const repairing = {
    ...asking,
    messages: [...request.messages, ...repairMessages(first, read.problems)],
    prefer: `${first.provider}/${first.model}`,
  };
  const second = requireComplete(await client.complete(repairing), request);
  const again = readResult(second, contract);
  if ('value' in again) {
    return again.value;
  }
  throw isEmpty(second) ? empty(second) : invalidOutput(second, again.problems, second.text);
}

/** Cut off and refused are final: the same question would get the same answer, and be billed again. */
export function requireComplete(completion: ModelCompletion, request: ModelRequest): ModelCompletion {
  if (completion.stop_reason === 'length') {
    throw truncated(completion, request.max_tokens, completion.text);
  }
  if (completion.stop_reason === 'refusal') {
    throw refused(completion, completion.text);
  }
  return completion;
}

export function readResult(completion: ModelCompletion, contract: ResultContract): ReadResult {
  if (isEmpty(completion)) {
    return { problems: [{ path: '/', message: 'the answer is empty' }] };
  }
  const parsed = parseOneMeaning(completion.text);
  if (!parsed.ok) {
    return { problems: [{ path: '/', message: `the answer cannot be read as JSON: ${parsed.message}` }] };
  }
  const problems = contract.check(parsed.value);
  return problems.length > 0 ? { problems } : { value: shaped(parsed.value, contract.output) };
}

function isEmpty(completion: ModelCompletion): boolean {
  return completion.text.trim() === '';
}

/** The two messages that ask for a better answer. An empty turn may not be sent back, so it is left out. */
function repairMessages(completion: ModelCompletion, problems: readonly SchemaProblem[]): ModelMessage[] {
  const list = problems.map((problem) => `- ${problem.path}: ${problem.message}`).join('\n');
  const ask = `Your answer cannot be used:\n${list}\nAnswer again with the corrected JSON value only, without any text around it.`;
  const said =
    completion.text.length > REPAIR_CHARS ? `${completion.text.slice(0, REPAIR_CHARS)}\n[shortened]` : completion.text;
  return [...(isEmpty(completion) ? [] : [{ role: 'assistant' as const, text: said }]), { role: 'user', text: ask }];
}

/** Counted here, not by the model; other fields of a `record_set` or scalar envelope are dropped. */
function shaped(value: Json, output: OutputSchema): JsonObject {
  const object = value as JsonObject;
  if (output.type === 'record_set') {
    const results = object['results'] as Json[];
    return { results, count: results.length };
  }
  return output.type === 'scalar' ? { value: object['value'] ?? null } : object;
}
