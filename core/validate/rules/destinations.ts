import { shorten } from '../../base/shorten';
import {
  DESTINATION_FORMATS,
  DESTINATIONS,
  DESTINATION_TYPES,
  FILE_NAME_WORDS,
  type DestinationType,
} from '../../actions/destinations';
import type { FieldSpec } from '../../actions/types';
import { isJsonObject, type Json, type JsonObject } from '../../base/json';
import { parseTemplate } from '../../expr/template';
import type { Path } from '../../playbook/source-node';
import type { StepPlan } from '../../playbook/types';
import { compatibilityOf } from '../compatibility';
import type { RuleContext } from '../context';
import type { Rule } from '../rule';
import { typeWithArticle } from '../shape';

/** Destinations of the output and of `route_output` have the settings that their type knows. */
export const destinations: Rule = {
  name: 'destinations',
  check(context) {
    for (const step of context.steps) {
      if (step.kind === 'tool' && step.action === 'route_output') checkStep(context, step, step.params['destinations']);
    }
    for (const { destination, path } of context.writtenDestinations()) {
      const place = { context, step: undefined, path };
      warnUnavailable(place, destination.type);
      checkConfig(place, destination.type, destination.config);
      checkFileName(place, destination.config);
    }
  },
};

interface Place {
  context: RuleContext;
  step: StepPlan | undefined;
  path: Path;
}

/** Checks destinations of a step: there the list is a param that no other rule has checked. */
function checkStep(context: RuleContext, step: StepPlan, list: Json | undefined): void {
  if (!Array.isArray(list)) return;
  list.forEach((entry, index) => {
    const place = { context, step, path: ['params', 'destinations', index] };
    if (!isJsonObject(entry)) return;
    checkNames(place, entry, ['type', 'format', 'condition', 'config'], 'A destination');
    const type = checkChoice(place, 'type', entry['type'], DESTINATION_TYPES);
    if (entry['format'] !== undefined) checkChoice(place, 'format', entry['format'], DESTINATION_FORMATS);
    const known = DESTINATION_TYPES.find((name) => name === type);
    if (known === undefined) return;
    warnUnavailable(place, known);
    const config = entry['config'] ?? {};
    if (isJsonObject(config)) checkConfig(place, known, config);
    else
      context.report(step, [...place.path, 'config'], {
        code: 'type_mismatch',
        message: '`config` expects a mapping.',
      });
  });
}

function checkChoice(
  { context, step, path }: Place,
  name: string,
  value: Json | undefined,
  allowed: readonly string[],
): string | undefined {
  if (typeof value === 'string' && (allowed.includes(value) || value.includes('{'))) return value;
  const shown = typeof value === 'string' ? `is "${shorten(value)}", but it` : 'is missing or no text; it';
  const near = typeof value === 'string' ? context.suggest(value, allowed) : undefined;
  context.report(step, [...path, name], {
    code: 'invalid_value',
    message: `\`${name}\` ${shown} must be one of ${allowed.join(', ')}.`,
    ...(near === undefined ? {} : { suggestion: `Write ${near}.` }),
  });
  return undefined;
}

function warnUnavailable({ context, step, path }: Place, type: DestinationType): void {
  if (DESTINATIONS[type].available) return;
  context.report(step, [...path, 'type'], {
    severity: 'warning',
    code: 'not_yet_active',
    message: `A destination of type ${type} is kept but receives nothing yet.`,
  });
}

function checkConfig(place: Place, type: DestinationType, config: JsonObject): void {
  const spec = DESTINATIONS[type];
  if (!spec.available) return;
  const inside = { ...place, path: [...place.path, 'config'] };
  const names = spec.config.map((field) => field.name);
  checkNames(inside, config, names, `The config of a destination of type ${type}`);
  for (const field of spec.config)
    checkValue(inside, field, Object.hasOwn(config, field.name) ? config[field.name] : undefined);
  if (spec.one_of === undefined || spec.one_of.some((name) => Object.hasOwn(config, name))) return;
  place.context.report(place.step, inside.path, {
    code: 'missing_required',
    message: `A destination of type ${type} needs \`${spec.one_of.join('` or `')}\` in its config.`,
  });
}

function checkNames({ context, step, path }: Place, object: JsonObject, names: readonly string[], what: string): void {
  for (const name of Object.keys(object)) {
    if (names.includes(name)) continue;
    const near = context.suggest(name, names);
    const known = names.length === 0 ? 'It has no settings.' : `Known fields: ${names.join(', ')}.`;
    context.report(step, [...path, name], {
      code: 'unknown_field',
      message: `${what} has no field \`${shorten(name)}\`.`,
      suggestion: near === undefined ? known : `Did you mean \`${near}\`?`,
      atKey: true,
    });
  }
}

function checkValue({ context, step, path }: Place, field: FieldSpec, value: Json | undefined): void {
  if (value === undefined || value === null || (typeof value === 'string' && value.includes('{'))) return;
  const type = Array.isArray(value) ? 'any[]' : isJsonObject(value) ? 'object' : typeof value;
  if (['exact', 'coerced'].includes(compatibilityOf(type, field.type))) return;
  context.report(step, [...path, field.name], {
    code: 'type_mismatch',
    message: `\`${field.name}\` expects ${typeWithArticle(field.type)}, not ${typeWithArticle(type)}.`,
  });
}

/** File names have words of their own in braces; they are no references to results. */
function checkFileName({ context, step, path }: Place, config: JsonObject): void {
  const words = [...FILE_NAME_WORDS, ...context.plan.inputs.map((input) => input.name)];
  for (const name of ['filename_template', 'filename']) {
    const text = config[name];
    const parsed = typeof text === 'string' ? parseTemplate(text) : undefined;
    if (parsed?.ok !== true || parsed.value.kind === 'literal') continue;
    const parts = parsed.value.kind === 'whole' ? [parsed.value.ref] : parsed.value.parts;
    for (const part of parts) {
      if (typeof part === 'string' || words.includes(part.root)) continue;
      const near = context.suggest(part.root, words);
      context.report(step, [...path, 'config', name], {
        code: 'unresolved_reference',
        message: `A file name knows no word \`${part.root}\`.`,
        suggestion: near === undefined ? `Known words: ${words.slice(0, 20).join(', ')}.` : `Did you mean {${near}}?`,
        offset: part.offset,
      });
    }
  }
}
