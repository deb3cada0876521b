import { begin, expectStatus, type Shape } from './shape';

/** Steps that ask a model; the provider is a stand-in at the wire. */
const SCHEMA = '{type: object, fields: [{name: report, type: string}]}';

export const modelShapes: Shape[] = [
  {
    name: 'llm-task',
    record: async ({ stack, model }) => {
      model.enqueue({ json: { report: 'All well.' } });
      const runId = await begin(
        stack,
        'llm-task',
        `
  - {name: think, step_type: llm_task, action: llm_analyze, inputs: {data: [1, 2]}, params: {instructions: "Say."}, output_schema: ${SCHEMA}}
  - {name: end, step_type: tool, action: echo, inputs: {v: "{think.report}"}}`,
      );
      expectStatus(await stack.done(runId), 'complete');
      return { 'llm-task': runId };
    },
  },
  {
    name: 'route-by-model',
    record: async ({ stack, model }) => {
      model.enqueue({ json: { label: 'red' } });
      const runId = await begin(
        stack,
        'route-by-model',
        `
  - name: way
    route:
      on: {step_type: llm_task, action: llm_analyze, inputs: {data: [1]}, params: {instructions: "Choose."}, output_schema: {type: object, fields: [{name: label, type: string}]}}
      routes: {red: [{name: r, step_type: tool, action: echo, inputs: {v: red}}]}
      default: red`,
      );
      expectStatus(await stack.done(runId), 'complete');
      return { 'route-by-model': runId };
    },
  },
  {
    name: 'research',
    record: async ({ stack, model }) => {
      const look = { name: 'query_journal', arguments: { limit: 2 } };
      model.enqueue(
        { tool_calls: [look, { ...look, id: 'second' }, { name: 'save_to_workspace', arguments: {} }] },
        { json: { report: 'Found.' } },
      );
      const runId = await begin(
        stack,
        'research',
        `
  - {name: dig, step_type: llm_task, action: research_with_tools, inputs: {subject: ACME}, params: {tools: [query_journal], instructions: "Find out."}, output_schema: ${SCHEMA}}
  - {name: end, step_type: tool, action: echo, inputs: {v: "{dig.report}"}}`,
      );
      expectStatus(await stack.done(runId), 'complete');
      return { research: runId };
    },
  },
  {
    name: 'tool-gaps',
    record: async ({ stack, model }) => {
      model.enqueue(
        {
          tool_calls: [
            { name: 'query_journal', arguments: { date_from: 'once' } },
            { name: 'save_to_workspace', arguments: {} },
          ],
        },
        { json: { report: 'Found.' } },
      );
      const runId = await begin(
        stack,
        'tool-gaps',
        `
  - {name: dig, step_type: llm_task, action: research_with_tools, inputs: {subject: ACME}, params: {tools: [query_journal], instructions: "Find out."}, output_schema: ${SCHEMA}}
  - {name: end, step_type: tool, action: echo, inputs: {v: "{dig.report}"}}`,
      );
      expectStatus(await stack.done(runId), 'complete');
      return { 'tool-gaps': runId };
    },
  },
  {
    // No model may be called, so each call fails: of a router, and of a research.
    name: 'failed-calls',
    record: async ({ stack }) => {
      const ask = 'step_type: llm_task, inputs: {x: 1}, params: {instructions: "Say."}';
      const runId = await begin(
        stack,
        'failed-calls',
        `
  - {name: dig, ${ask}, action: research_with_tools, output_schema: ${SCHEMA}, on_error: skip}
  - {name: way, route: {on: {${ask}, action: llm_analyze}, routes: {a: [{name: n, step_type: approval}]}}, on_error: skip}
  - {name: end, step_type: tool, action: echo, inputs: {v: 1}}`,
        { head: 'execution_mode: deterministic' },
      );
      expectStatus(await stack.done(runId), 'partial');
      return { 'failed-calls': runId };
    },
  },
];
