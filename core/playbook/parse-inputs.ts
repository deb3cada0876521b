import { shorten } from '../base/shorten';
import type { MapReader } from './map-reader';
import { checkName } from './names';
import { inputProblem } from './input-rules';
import { INPUT_TYPES, parseInputRules } from './parse-input-rules';
import type { InputDeclaration, InputType } from './types';

const MAX_INPUTS = 200;
const FIELDS = [
  'name',
  'type',
  'label',
  'description',
  'group',
  'required',
  'default',
  'enum',
  'min',
  'max',
  'pattern',
  'fields',
  'extract_from',
];

/** The `inputs` of a playbook. */
export function parseInputs(root: MapReader): InputDeclaration[] {
  const node = root.get('inputs');
  const count = node?.kind === 'list' ? node.items.length : 0;
  if (count > MAX_INPUTS) {
    root.report(
      { code: 'invalid_value', message: `A playbook has at most ${MAX_INPUTS} inputs, not ${count}.` },
      'inputs',
    );
  }
  const read = (reader: MapReader): InputDeclaration | undefined => {
    reader.rejectUnknown(FIELDS, 'An input');
    const name = reader.string('name', { required: true });
    return name !== undefined && checkName(reader, 'name', name) ? parseInput(reader, name) : undefined;
  };
  return root.elements('inputs', read, { most: MAX_INPUTS });
}

function parseInput(reader: MapReader, name: string): InputDeclaration {
  const type: InputType = reader.oneOf('type', INPUT_TYPES) ?? (reader.has('type') ? 'any' : 'string');
  const description = reader.text('description');
  const [label, group] = [reader.text('label'), reader.text('group')];
  const extract = reader.oneOf('extract_from', ['query']);
  const rules = parseInputRules(reader, type);
  const fallback = reader.has('default') ? reader.json('default') : reader.isNull('default') ? null : undefined;
  const wrong = fallback === undefined || fallback === null ? undefined : inputProblem(fallback, { type, ...rules });
  if (wrong !== undefined) {
    const message = `The default of the input \`${shorten(name)}\` ${wrong}.`;
    reader.report({ code: 'type_mismatch', message }, 'default');
  }
  return {
    name,
    type,
    ...(description === undefined ? {} : { description }),
    ...(label === undefined ? {} : { label }),
    ...(group === undefined ? {} : { group }),
    required: reader.boolean('required') ?? false,
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(extract === undefined ? {} : { extract_from: extract }),
    ...rules,
  };
}
