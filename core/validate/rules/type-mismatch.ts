import { shorten } from '../../base/shorten';
import { getContract } from '../../actions/registry';
import type { FieldSpec } from '../../actions/types';
import { isJsonObject, type Json } from '../../base/json';
import { isDateText } from '../../playbook/input-value';
import type { Path } from '../../playbook/source-node';
import type { StepPlan } from '../../playbook/types';
import { plannedSteps } from '../catalogue';
import { compatibilityOf, type Compatibility } from '../compatibility';
import type { RuleContext } from '../context';
import { inputSpecsOf } from '../input-specs';
import { parseSite, type ParsedSite } from '../../playbook/parse-expression-site';
import type { Rule } from '../rule';
import { typeWithArticle, elementType, isList, isRecord, type Shape } from '../shape';

/** Values that are wired to an input or written as a param must have a type that the slot takes. */
export const typeMismatch: Rule = {
  name: 'type-mismatch',
  check(context) {
    for (const step of plannedSteps(context.plan)) checkStep(context, step);
    for (const site of context.sites) if (site.path[0] === 'output') warnOfTable(context, site);
  },
};

/** Warns of a title or summary that is one reference to more than a text: it is written as a list or table. */
function warnOfTable(context: RuleContext, site: ParsedSite): void {
  const name = String(site.path[site.path.length - 1]);
  if (site.whole === undefined || (name !== 'title' && name !== 'summary')) return;
  const found = context.resolve(site, site.whole);
  if (!found.ok || !(isList(found.shape.type) || isRecord(found.shape.type))) return;
  context.report(undefined, site.path, {
    severity: 'warning',
    code: 'loose_type_coercion',
    message: `\`${name}\` expects text; {${site.whole.text}} is ${typeWithArticle(found.shape.type)} and is written out as one.`,
    suggestion: 'Write a sentence around single values, such as "{step.count} rows".',
  });
}

function checkStep(context: RuleContext, step: StepPlan): void {
  if (step.kind === 'for_each') {
    checkItems(context, step, step.items);
    return;
  }
  if (step.kind !== 'tool' && step.kind !== 'llm_task' && step.kind !== 'run_playbook') return;
  for (const spec of inputSpecsOf(step, context.catalogue)?.specs ?? []) {
    const value = Object.hasOwn(step.inputs, spec.name) ? step.inputs[spec.name] : undefined;
    if (value !== undefined) checkValue({ context, step, path: ['inputs', spec.name], spec }, value);
  }
  if (step.kind === 'run_playbook') return;
  for (const spec of getContract(step.action)?.params ?? []) {
    const value = Object.hasOwn(step.params, spec.name) ? step.params[spec.name] : undefined;
    if (value !== undefined) checkValue({ context, step, path: ['params', spec.name], spec }, value);
  }
}

interface Slot {
  context: RuleContext;
  step: StepPlan;
  path: Path;
  spec: FieldSpec;
}

function checkItems(context: RuleContext, step: StepPlan, items: Json): void {
  const slot: Slot = { context, step, path: ['for_each', 'items'], spec: { name: 'items', type: 'any[]' } };
  if (typeof items !== 'string') return;
  const site = parseSite({ step, path: slot.path, text: items, grammar: 'template', from: { step } });
  if (site.problem !== undefined) return;
  if (site.whole === undefined) {
    const message = '`items` must be one reference to a list, or a list written out.';
    context.report(step, slot.path, { code: 'type_mismatch', message, suggestion: 'Write items: "{step.results}".' });
    return;
  }
  checkValue(slot, items);
}

function checkValue(slot: Slot, value: Json): void {
  const { context, step, path } = slot;
  if (typeof value !== 'string') {
    checkLiteral(slot, value);
    return;
  }
  const site = parseSite({ step, path, text: value, grammar: 'template', from: context.referenceScopeOf(step) });
  if (site.problem !== undefined) return;
  if (site.references.length === 0) checkLiteral(slot, value);
  else if (site.whole === undefined) judge(slot, { type: 'string', shown: 'text with references in it' });
  else {
    const found = context.resolve(site, site.whole);
    if (found.ok)
      judge(slot, {
        type: found.shape.type,
        shown: `{${site.whole.text}}`,
        fix: fixFor(slot, found.shape, site.whole.text),
      });
  }
}

interface Wired {
  type: string;
  shown: string;
  fix?: string | undefined;
}

function judge({ context, step, path, spec }: Slot, wired: Wired): void {
  const fit: Compatibility = compatibilityOf(wired.type, spec.type);
  if (fit === 'exact' || fit === 'coerced') return;
  const name = path[path.length - 1];
  if (fit === 'loose') {
    context.report(step, path, {
      severity: 'warning',
      code: 'loose_type_coercion',
      message: `\`${name}\` expects ${typeWithArticle(spec.type)}; ${wired.shown} is ${typeWithArticle(wired.type)} and may not fit.`,
      ...(wired.fix === undefined ? {} : { suggestion: wired.fix }),
    });
    return;
  }
  context.report(step, path, {
    code: 'type_mismatch',
    message: `\`${name}\` expects ${typeWithArticle(spec.type)}, but ${wired.shown} is ${typeWithArticle(wired.type)}.`,
    ...(wired.fix === undefined ? {} : { suggestion: wired.fix }),
  });
}

/** The likely meant part of a value: a list inside a record, an element of a list, a list of one. */
function fixFor({ spec }: Slot, shape: Shape, text: string): string | undefined {
  const wholeResult = !/[.[]/.test(text);
  if (!wholeResult && isList(spec.type) && compatibilityOf(shape.type, elementType(spec.type)) === 'exact')
    return `Write ["{${text}}"] for a list of one.`;
  if (isRecord(shape.type)) {
    const fitting = shape.fields?.find(
      (field) => field.type !== 'any' && ['exact', 'coerced'].includes(compatibilityOf(field.type, spec.type)),
    );
    return fitting && `Write "{${text}.${fitting.name}}".`;
  }
  if (isList(shape.type) && compatibilityOf(elementType(shape.type), spec.type) !== 'none')
    return `Write "{${text}[0]}" for the first element.`;
  if (isList(spec.type) && compatibilityOf(shape.type, elementType(spec.type)) !== 'none')
    return `Write ["{${text}}"] for a list of one.`;
  return undefined;
}

function checkLiteral(slot: Slot, value: Json): void {
  const { spec } = slot;
  if (value === null || spec.type === 'any') return;
  if (Array.isArray(value) && isList(spec.type)) {
    const element: FieldSpec = { name: spec.name, type: elementType(spec.type) };
    value.forEach((item, index) => checkValue({ ...slot, path: [...slot.path, index], spec: element }, item));
    return;
  }
  judgeLiteral(slot, value);
}

function judgeLiteral(slot: Slot, value: Json): void {
  const { context, step, path, spec } = slot;
  if (spec.type === 'date' && typeof value === 'string' && !isDateText(value)) {
    const message = `\`${path[path.length - 1]}\` expects a date, but the text "${shorten(value, 40)}" is none.`;
    context.report(step, path, { code: 'type_mismatch', message, suggestion: 'Write it as YYYY-MM-DD.' });
    return;
  }
  const shown =
    typeof value === 'string'
      ? `the text "${shorten(value, 40)}"`
      : typeof value === 'object'
        ? 'what is written'
        : String(value);
  const quoted = typeof value === 'number' || typeof value === 'boolean' ? `Write "${String(value)}".` : undefined;
  judge(slot, { type: typeOfLiteral(value, spec.type), shown, fix: spec.type === 'string' ? quoted : undefined });
}

function typeOfLiteral(value: Json, wanted: string): string {
  if (typeof value === 'string') return wanted === 'date' ? 'date' : 'string';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'boolean') return 'boolean';
  if (Array.isArray(value)) return 'any[]';
  return isJsonObject(value) ? 'object' : 'any';
}
