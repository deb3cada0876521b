import type { Json } from '../base/json';
import { jsonText } from '../base/json-text';
import { AppError } from '../errors/app-error';
import { Cursor } from './cursor';
import { MAX_RENDERED } from './limits';
import { mapStrings } from './map-strings';
import { memoized } from './memo';
import { scanTemplate } from './scan-template';
import type { Lookup, ParseResult, Reference, Template } from './types';

/**
 * Parses a string of a playbook. A text that is one reference and nothing else keeps the value's type (`whole`).
 * Offsets of references point behind their `{`.
 */
export const parseTemplate: (text: string) => ParseResult<Template> = memoized((text) =>
  scanTemplate(new Cursor(text)),
);

/**
 * The value of a template: for `whole` what the lookup gives (undefined = not defined), otherwise text.
 * In text: strings as they are, numbers and booleans as written, nothing for null and undefined, JSON for the rest.
 * Values are placed, never parsed: braces in them stay text.
 * @throws AppError `rendered_text_too_large` when the text would exceed 32 Mi characters.
 */
export function renderTemplate(template: Template, lookup: Lookup): Json | undefined {
  return render(template, lookup, { left: MAX_RENDERED });
}

/**
 * A copy of a value with every string rendered, at any depth; keys stay. A reference that is not defined gives null.
 * A string that is no valid template stays as it is: validation refuses it before a run begins.
 * @throws AppError `rendered_text_too_large` when all texts together would exceed 32 Mi characters.
 */
export function renderValue(value: Json, lookup: Lookup): Json {
  const rendered = renderer(lookup);
  return mapStrings(value, (text) => rendered(text) ?? null);
}

/**
 * The same for what is handed over: a key whose reference is not defined is left out, at any depth. So null stays what
 * somebody wrote or a source gave.
 */
export function renderDefined(value: Json, lookup: Lookup): Json {
  return mapStrings(value, renderer(lookup));
}

function renderer(lookup: Lookup): (text: string) => Json | undefined {
  const budget: Budget = { left: MAX_RENDERED };
  return (text) => {
    const parsed = parseTemplate(text);
    return parsed.ok ? render(parsed.value, lookup, budget) : text;
  };
}

/** All references in the strings of a value (or in one string), in document order, each text once. */
export function collectReferences(value: Json): Reference[] {
  const references = new Map<string, Reference>();
  mapStrings(value, (text) => {
    for (const reference of referencesOf(text)) {
      if (!references.has(reference.text)) references.set(reference.text, reference);
    }
    return null;
  });
  return [...references.values()];
}

interface Budget {
  left: number;
}

function render(template: Template, lookup: Lookup, budget: Budget): Json | undefined {
  if (template.kind === 'literal') return template.text;
  if (template.kind === 'whole') return lookup(template.ref);
  const rendered: string[] = [];
  for (const part of template.parts) {
    const text = typeof part === 'string' ? part : jsonText(lookup(part));
    budget.left -= text.length;
    if (budget.left < 0) throw tooLarge();
    rendered.push(text);
  }
  return rendered.join('');
}

function tooLarge(): AppError {
  return new AppError(
    'rendered_text_too_large',
    `The rendered text would exceed ${MAX_RENDERED} characters. Pass large values as a whole ("{step.field}"), not inside text.`,
    { category: 'too_large' },
  );
}

function referencesOf(text: string): Reference[] {
  const parsed = parseTemplate(text);
  if (!parsed.ok || parsed.value.kind === 'literal') return [];
  if (parsed.value.kind === 'whole') return [parsed.value.ref];
  return parsed.value.parts.filter((part): part is Reference => typeof part !== 'string');
}
