import { cols } from '../actions/define';
import { isBuiltin } from '../expr/builtins';
import { BUILTIN_NAMES } from '../expr/reserved-roots';
import type { PathSegment, Reference } from '../expr/types';
import type { ForEachStep, InputDeclaration, StepPlan } from '../playbook/types';
import { ANY, elementType, followPath, isList, isRecord, shapeOf, TEXT, type Shape } from './shape';
import type { StepIndex } from '../playbook/step-index';
import type { ReferenceScope } from '../playbook/expression-sites';
import { visibilityFault } from './visibility';

export type Resolved =
  | { ok: true; shape: Shape; step?: StepPlan }
  | { ok: false; code: 'nonexistent_step' | 'unresolved_reference'; message: string; suggestion?: string };

export interface ResolveSources {
  index: StepIndex;
  inputs: readonly InputDeclaration[];
  resultOf: (step: StepPlan) => Shape;
  shapeOfItems: (step: ForEachStep) => Shape;
  suggest: (word: string, candidates: Iterable<string>) => string | undefined;
}

/**
 * Resolves a reference in its scope: to a loop variable, an input, a result or a built-in; or says why there is none.
 */
export function resolveReference(ref: Reference, from: ReferenceScope, sources: ResolveSources): Resolved {
  const variable = loopVariable(ref.root, from, sources);
  if (variable) return at(variable, ref);
  const input = sources.inputs.find((declared) => declared.name === ref.root);
  if (input) return at(shapeOfInput(input), ref);
  const step = sources.index.withKey(ref.root);
  if (step) return stepResult(step, ref, from, sources);
  if (isBuiltin(ref.root)) return at({ type: ref.root === 'execution_id' ? 'string' : 'date' }, ref);
  if (ref.root === 'query') return at(TEXT, ref);
  return unknownRoot(ref, from, sources);
}

/** Declared fields of an object or of the records of a list are known, and so are others: a run may be given more. */
function shapeOfInput({ name, type, fields }: InputDeclaration): Shape {
  if (type === 'entity_name') return TEXT;
  const plain = shapeOf({ name, type });
  // Records may have more than what is declared.
  return fields === undefined || type !== 'list' ? plain : { type: 'object[]' };
}

function at(shape: Shape, ref: Reference, path: readonly PathSegment[] = ref.path): Resolved {
  const found = followPath(shape, path, ref.text);
  return 'message' in found ? { ok: false, code: 'unresolved_reference', ...found } : { ok: true, shape: found };
}

function stepResult(step: StepPlan, ref: Reference, from: ReferenceScope, sources: ResolveSources): Resolved {
  const hidden = visibilityFault(sources.index, step, from);
  if (hidden) return { ok: false, code: 'unresolved_reference', ...hidden };
  const found = resultPart(step, ref, sources);
  return found.ok ? { ...found, step } : found;
}

/** Fields that every entry has, whatever the result; after them the path goes on in their value. */
function resultPart(step: StepPlan, ref: Reference, sources: ResolveSources): Resolved {
  const [first, ...rest] = ref.path;
  const whole = sources.resultOf(step);
  if (first?.kind !== 'field') return at(whole, ref);
  switch (first.name) {
    case 'status':
      return at(TEXT, ref, rest);
    case 'error':
      return at({ type: 'object', fields: cols('code', 'message') }, ref, rest);
    case 'result':
      return at(whole, ref, rest);
    case 'decision':
      return decision(step, ref, rest);
    default:
      return at(whole, ref);
  }
}

function decision(step: StepPlan, ref: Reference, rest: PathSegment[]): Resolved {
  if (step.kind === 'approval') return at(TEXT, ref, rest);
  return {
    ok: false,
    code: 'unresolved_reference',
    message: `{${ref.text}} reads the decision of \`${step.name}\`, which is no approval step.`,
    suggestion: `Write {${step.key}.result.decision} for a field of that name in the result.`,
  };
}

function loopVariable(name: string, from: ReferenceScope, sources: ResolveSources): Shape | undefined {
  const chain = from.step === undefined ? [] : sources.index.chain(from.step);
  for (let level = chain.length - 1; level >= 0; level -= 1) {
    const owner = chain[level]?.owner;
    if (owner?.kind !== 'for_each') continue;
    if (name === `${owner.as}_index`) return { type: 'integer' };
    if (name === owner.as) return elementOf(sources.shapeOfItems(owner));
  }
  return undefined;
}

function elementOf(list: Shape): Shape {
  if (!isList(list.type)) return ANY;
  const type = elementType(list.type);
  return isRecord(type) && list.fields !== undefined ? { type, fields: list.fields } : { type };
}

function unknownRoot(ref: Reference, from: ReferenceScope, sources: ResolveSources): Resolved {
  const base = { ok: false, code: 'nonexistent_step' } as const;
  const message = `{${ref.text}} refers to \`${ref.root}\`, but there is no step, input or variable of that name.`;
  const named = sources.index.withName(ref.root);
  if (named) {
    const better = ref.text.replace(ref.root, named.key);
    return {
      ...base,
      message: `{${ref.text}} uses the name of a step that has an output_key.`,
      suggestion: `Write {${better}}.`,
    };
  }
  const variables = variablesAt(from, sources);
  const inputs = sources.inputs.map((input) => input.name);
  const near = sources.suggest(ref.root, [...sources.index.keys(), ...inputs, ...variables, ...BUILTIN_NAMES]);
  if (near !== undefined)
    return { ...base, message, suggestion: `Did you mean {${ref.text.replace(ref.root, near)}}?` };
  return {
    ...base,
    message,
    suggestion: 'Declare an input of that name, or refer to the output_key of an earlier step.',
  };
}

function variablesAt(from: ReferenceScope, sources: ResolveSources): string[] {
  const chain = from.step === undefined ? [] : sources.index.chain(from.step);
  return chain.flatMap(({ owner }) => (owner?.kind === 'for_each' ? [owner.as, `${owner.as}_index`] : []));
}
