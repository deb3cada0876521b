import { shorten } from '../base/shorten';
import { didYouMean } from '../base/did-you-mean';
import { isJsonObject, type Json, type JsonObject } from '../base/json';
import type { Problem } from '../errors/problem';
import { inputProblem } from '../playbook/input-rules';
import { inputTypeProblem } from '../playbook/input-value';
import type { InputDeclaration } from '../playbook/types';

export interface RunInputs {
  /** Given values and defaults of the declared inputs; what was not given and has no default is absent. */
  values: JsonObject;
  problems: Problem[];
}

/** Checks the inputs of a run against what the playbook declares. Values are never converted. */
export function checkRunInputs(declared: readonly InputDeclaration[], given: Json | undefined): RunInputs {
  if (given !== undefined && given !== null && !isJsonObject(given)) {
    return {
      values: {},
      problems: [problem('invalid_type', 'inputs', 'The inputs of a run are an object: name to value.')],
    };
  }
  const inputs = given ?? {};
  const values: JsonObject = {};
  const problems = unknownInputs(declared, inputs);
  for (const input of declared) {
    const value = Object.hasOwn(inputs, input.name) ? inputs[input.name] : undefined;
    const found = checkInput(input, value);
    if ('problem' in found) problems.push(found.problem);
    else if (found.value !== undefined) values[input.name] = found.value;
  }
  return { values, problems };
}

function checkInput(
  input: InputDeclaration,
  value: Json | undefined,
): { value: Json | undefined } | { problem: Problem } {
  if (value === undefined || value === null) {
    if ((input.default ?? null) !== null) return { value: input.default };
    if (!input.required) return { value: value === null ? null : input.default };
    const what = input.description === undefined ? '' : ` ${input.description}`;
    return {
      problem: problem(
        'missing_required',
        input.name,
        `The input \`${input.name}\` (${input.type}) is required.${what}`,
      ),
    };
  }
  const wrong = inputProblem(value, input);
  return wrong === undefined
    ? { value }
    : { problem: problem(codeOf(value, input), input.name, `The input \`${input.name}\` ${wrong}.`) };
}

/** Code for another type, or for a value of the right type that is not allowed. */
function codeOf(value: Json, input: InputDeclaration): string {
  return inputTypeProblem(value, input.type) === undefined ? 'invalid_value' : 'type_mismatch';
}

const MAX_UNKNOWN = 20;

function unknownInputs(declared: readonly InputDeclaration[], inputs: JsonObject): Problem[] {
  const names = declared.map((input) => input.name);
  const unknown = Object.keys(inputs).filter((name) => !names.includes(name));
  return unknown.slice(0, MAX_UNKNOWN).map((name) => {
    const near = didYouMean(name, names);
    const known = names.length === 0 ? 'It has no inputs.' : `Known inputs: ${names.join(', ')}.`;
    const suggestion = near === undefined ? known : `Did you mean \`${near}\`?`;
    return { ...problem('unknown_input', name, `The playbook has no input \`${shorten(name)}\`.`), suggestion };
  });
}

function problem(code: string, name: string, message: string): Problem {
  return { severity: 'error', code, message, field: name === 'inputs' ? name : `inputs.${name}` };
}
