import { isJsonObject, type Json, type JsonObject } from '../../core/base/json';
import type { ToolSpec } from '../../core/schema/tool-specs';
import { parseOneMeaning } from '../../infra/llm/json-text';
import { schemaCheck } from '../../infra/llm/schema-check';
import type { ModelTool, ModelToolCall } from '../../infra/llm/types';

/** A call as the engine gets it. With `error` nothing may be executed; the model is told instead. */
export interface CheckedCall extends JsonObject {
  id: string;
  tool: string;
  inputs: JsonObject;
}

/** The tools of one step under the names that both protocols accept. */
export class ToolBox {
  private readonly byWireName = new Map<string, ToolSpec>();

  constructor(specs: readonly ToolSpec[]) {
    for (const spec of specs) {
      this.byWireName.set(this.freeName(spec.name), spec);
    }
  }

  get size(): number {
    return this.byWireName.size;
  }

  wire(): ModelTool[] {
    return [...this.byWireName].map(([name, spec]) => ({
      name,
      description: spec.description,
      parameters: spec.parameters,
    }));
  }

  /** Our name of a tool that a model called; the model's own word where there is no such tool. */
  nameOf(wireName: string): string {
    return this.byWireName.get(wireName)?.name ?? wireName;
  }

  check(call: ModelToolCall): CheckedCall {
    const spec = this.byWireName.get(call.name);
    const base = { id: call.id, tool: this.nameOf(call.name), inputs: {} };
    if (spec === undefined) {
      return {
        ...base,
        error: `unknown_tool: there is no tool "${call.name}". Use one of: ${[...this.byWireName.keys()].join(', ')}.`,
      };
    }
    const parsed = parseOneMeaning(call.arguments === '' ? '{}' : call.arguments);
    if (!parsed.ok || !isJsonObject(parsed.value)) {
      const why = parsed.ok ? '' : ` (${parsed.message})`;
      return { ...base, error: `invalid_tool_arguments: the arguments of ${call.name} are not a JSON object${why}.` };
    }
    const problems = schemaCheck(spec.parameters)(parsed.value);
    if (problems.length > 0) {
      const list = problems.map((problem) => `${problem.path} ${problem.message}`).join('; ');
      return { ...base, error: `invalid_tool_arguments: ${list}.` };
    }
    return { ...base, ...split(spec, parsed.value) };
  }

  private freeName(name: string): string {
    const plain = name.replace(/[^A-Za-z0-9_-]/g, '__').slice(0, 60);
    let free = plain;
    for (let n = 2; this.byWireName.has(free); n += 1) {
      free = `${plain}_${n}`;
    }
    return free;
  }
}

function split(spec: ToolSpec, given: JsonObject): { inputs: JsonObject; params?: JsonObject } {
  const names = new Set(spec.params);
  const entries = Object.entries(given);
  const inputs = Object.fromEntries(entries.filter(([name]) => !names.has(name)));
  const params: [string, Json][] = entries.filter(([name]) => names.has(name));
  return params.length === 0 ? { inputs } : { inputs, params: Object.fromEntries(params) };
}
