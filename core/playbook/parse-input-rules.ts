import { shorten } from '../base/shorten';
import type { Json } from '../base/json';
import { patternFault } from '../expr/functions/patterns';
import { inputTypeProblem, isDateText } from './input-value';
import type { MapReader } from './map-reader';
import { checkName } from './names';
import type { InputField, InputRules, InputType } from './types';

export const INPUT_TYPES = [
  'string',
  'number',
  'integer',
  'boolean',
  'date',
  'entity_name',
  'list',
  'object',
  'any',
] as const;
const MAX_CHOICES = 1_000;
const MAX_FIELDS = 100;
const SIZED: readonly InputType[] = ['string', 'entity_name', 'list'];
const NUMBERS: readonly InputType[] = ['number', 'integer'];
const TEXTS: readonly InputType[] = ['string', 'entity_name'];

/** Rules of a value beside its type; a rule without a meaning for the type is reported. */
export function parseInputRules(reader: MapReader, type: InputType): InputRules {
  const choices = parseChoices(reader, type);
  const [min, max] = [parseBound(reader, 'min', type), parseBound(reader, 'max', type)];
  if (min !== undefined && max !== undefined && min > max) {
    reader.report({ code: 'invalid_value', message: `\`min\` is ${min}, which is above \`max\` (${max}).` }, 'min');
  }
  const pattern = parsePattern(reader, type);
  const fields = parseFields(reader, type);
  return {
    ...(choices === undefined ? {} : { enum: choices }),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(pattern === undefined ? {} : { pattern }),
    ...(fields === undefined ? {} : { fields }),
  };
}

function parseChoices(reader: MapReader, type: InputType): Json[] | undefined {
  const list = reader.list('enum');
  if (list === undefined) return undefined;
  const choices = reader.json('enum');
  if (!Array.isArray(choices) || choices.length === 0 || choices.length > MAX_CHOICES) {
    reader.report({ code: 'invalid_value', message: `\`enum\` has 1 to ${MAX_CHOICES} values.` }, 'enum');
    return undefined;
  }
  const wrong = choices.map((choice) => inputTypeProblem(choice, type)).find((problem) => problem !== undefined);
  if (wrong !== undefined) reader.report({ code: 'type_mismatch', message: `A value of \`enum\` ${wrong}.` }, 'enum');
  return choices;
}

function parseBound(reader: MapReader, name: 'min' | 'max', type: InputType): number | string | undefined {
  if (!reader.has(name)) return undefined;
  if (NUMBERS.includes(type)) return reader.number(name);
  if (SIZED.includes(type)) return reader.number(name, { integer: true, min: 0 });
  if (type !== 'date') return meaningless(reader, name, 'a number, date, text or list');
  const date = reader.text(name) ?? '';
  if (isDateText(date)) return date.slice(0, 10);
  reader.report({ code: 'type_mismatch', message: `\`${name}\` expects a date written YYYY-MM-DD.` }, name);
  return undefined;
}

function parsePattern(reader: MapReader, type: InputType): string | undefined {
  if (!reader.has('pattern')) return undefined;
  if (!TEXTS.includes(type)) return meaningless(reader, 'pattern', 'a text');
  const pattern = reader.string('pattern');
  const fault = pattern === undefined ? undefined : patternFault(pattern);
  if (fault === undefined) return pattern;
  const message = `\`pattern\` is no pattern in RE2 syntax: ${shorten(fault, 200)}.`;
  reader.report({ code: 'invalid_value', message }, 'pattern');
  return undefined;
}

function parseFields(reader: MapReader, type: InputType): InputField[] | undefined {
  if (!reader.has('fields')) return undefined;
  if (type !== 'list' && type !== 'object') return meaningless(reader, 'fields', 'a list or an object');
  const seen = new Set<string>();
  return reader.elements(
    'fields',
    (field): InputField | undefined => {
      field.rejectUnknown(['name', 'type', 'description', 'required'], 'A field of an input');
      const name = field.string('name', { required: true });
      if (name === undefined || !checkName(field, 'name', name)) return undefined;
      if (seen.has(name))
        field.report({ code: 'duplicate_name', message: `The field \`${name}\` is declared twice.` }, 'name');
      seen.add(name);
      const [description, required] = [field.text('description'), field.boolean('required')];
      return {
        name,
        type: field.oneOf('type', INPUT_TYPES) ?? 'any',
        ...(description === undefined ? {} : { description }),
        ...(required === undefined ? {} : { required }),
      };
    },
    { most: MAX_FIELDS },
  );
}

function meaningless(reader: MapReader, name: string, where: string): undefined {
  const message = `\`${name}\` has a meaning for ${where} alone.`;
  reader.report({ code: 'field_not_allowed', message, at: reader.keyPlaceOf(name) }, name);
  return undefined;
}
