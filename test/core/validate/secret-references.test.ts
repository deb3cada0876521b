import { describe, expect, it } from '@jest/globals';
import { validate } from './harness';

const SECRETS = ['{secrets.canary}', '{secret.canary}', '{env.HOME}', '{connection.accessToken}'];
const CODES = ['nonexistent_step', 'unresolved_reference', 'invalid_expression', 'invalid_reference'];

/** Every place of a playbook in which a person writes text, with the reference in it. */
const FIELDS: [string, (reference: string) => string][] = [
  ['a prompt of an approval', (ref) => `  - {name: a, step_type: approval, prompt: "see ${ref}"}`],
  [
    'an input',
    (ref) =>
      `  - {name: a, step_type: tool, action: transform_data, inputs: {data: "${ref}"}, params: {operations: []}}`,
  ],
  [
    'text inside an input',
    (ref) =>
      `  - {name: a, step_type: tool, action: transform_data, inputs: {data: [{x: "t ${ref}"}]}, params: {operations: []}}`,
  ],
  [
    'the instructions of a model',
    (ref) =>
      `  - {name: a, step_type: llm_task, action: generate_text, inputs: {data: "x"}, params: {instructions: "say ${ref}"}}`,
  ],
  [
    'the input of a model',
    (ref) =>
      `  - {name: a, step_type: llm_task, action: generate_text, inputs: {data: "${ref}"}, params: {instructions: x}}`,
  ],
  [
    'the list of a loop',
    (ref) => `  - {name: a, for_each: {items: "${ref}", as: x, steps: [{name: b, step_type: approval, prompt: y}]}}`,
  ],
  [
    'the end of a loop',
    (ref) =>
      `  - {name: a, loop: {until: "${ref} == 1", max_iterations: 2, steps: [{name: b, step_type: approval, prompt: y}]}}`,
  ],
  ['a condition', (ref) => `  - {name: a, step_type: approval, prompt: x, condition: "${ref} == 1"}`],
  [
    'the input of a connector',
    (ref) => `  - {name: a, step_type: tool, action: call_connector, connector: c, endpoint: e, inputs: {q: "${ref}"}}`,
  ],
  [
    'the input of another playbook',
    (ref) => `  - {name: a, action: run_playbook, playbook: other, inputs: {q: "${ref}"}}`,
  ],
  [
    'the title of the output',
    (ref) => `  - {name: a, step_type: approval, prompt: x}\noutput: {title: "${ref}", format: markdown, sections: []}`,
  ],
  [
    'the summary of the output',
    (ref) =>
      `  - {name: a, step_type: approval, prompt: x}\noutput: {title: t, format: markdown, sections: [], summary: "${ref}"}`,
  ],
  [
    'the condition of a destination',
    (ref) =>
      `  - {name: a, step_type: approval, prompt: x}\noutput: {title: t, format: markdown, sections: [], destinations: [{type: document, condition: "${ref} == 1"}]}`,
  ],
];

describe.each(FIELDS)('X10: in %s', (_field, write) => {
  it.each(SECRETS)('%s is an unknown reference', (reference) => {
    const problems = validate(`id: p\nname: P\nsteps:\n${write(reference)}\n`);
    const named = problems.filter(
      (problem) =>
        problem.severity === 'error' && CODES.includes(problem.code) && problem.message.includes(reference.slice(1, 7)),
    );
    expect({ problems: named.length > 0 ? 'named' : problems }).toEqual({ problems: 'named' });
  });
});
