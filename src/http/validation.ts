import { ValidationPipe, type ArgumentMetadata, type ValidationError } from '@nestjs/common';
import { getMetadataStorage, ValidationTypes, validateSync } from 'class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata';
import { suggestionOr } from '../../core/base/did-you-mean';
import { AppError } from '../../core/errors/app-error';
import type { Problem } from '../../core/errors/problem';
import { opaqueFields } from './fields';
import { withPointers } from './pointer';
import { brokenRules } from './rule-words';

/** The validator's rule for a field that the request does not have. */
const UNKNOWN: string = ValidationTypes.WHITELIST;

/** class-validator's tree as a flat list of located problems. */
function flatten(errors: ValidationError[], prefix: string): Problem[] {
  return errors.flatMap((error) => {
    const field = prefix === '' ? error.property : `${prefix}.${error.property}`;
    const own = problemsOf(field, error);
    return [...own, ...flatten(error.children ?? [], field)];
  });
}

/** Problems of a field; one that is absent or null breaks every rule, and gets one sentence. */
function problemsOf(field: string, { value, constraints = {}, property, target }: ValidationError): Problem[] {
  const broken = brokenRules(constraints);
  if (value === undefined && Object.keys(constraints).length > 1) {
    return [problem(field, 'missing', `${field} is missing`)];
  }
  if (value === null && broken.some(([rule]) => rule !== UNKNOWN)) {
    return [problem(field, 'null', nullText(field, property, target))];
  }
  return broken.map(([rule, message]) => ({ ...problem(field, rule, message), ...meant(rule, property, target) }));
}

function nullText(field: string, property: string, target: object | undefined): string {
  const optional = rulesOf(target).some(
    ({ type, propertyName }) => type === ValidationTypes.CONDITIONAL_VALIDATION && propertyName === property,
  );
  return `${field} must not be null${optional ? ': leave it out' : ''}`;
}

function rulesOf(target: object | undefined): ValidationMetadata[] {
  return target === undefined
    ? []
    : getMetadataStorage().getTargetValidationMetadatas(target.constructor, '', true, false);
}

/** Name of the same object that was probably meant, for a field that the request does not have. */
function meant(rule: string, property: string, target: object | undefined): { suggestion?: string } {
  if (rule !== UNKNOWN || target === undefined) return {};
  const suggestion = suggestionOr(property, new Set(rulesOf(target).map(({ propertyName }) => propertyName)), '');
  return suggestion === '' ? {} : { suggestion };
}

export function problem(field: string, rule: string, message: string): Problem {
  return rule === UNKNOWN
    ? { severity: 'error', code: 'unknown_field', field, message: `"${field}" is not a field of this request.` }
    : { severity: 'error', code: 'invalid_field', field, message };
}

/** Fields of a body have a place in it, parameters have not. */
class RequestPipe extends ValidationPipe {
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    try {
      const opaque = metadata.type === 'body' ? opaqueOf(value, metadata.metatype) : undefined;
      if (opaque === undefined) return (await super.transform(value, metadata)) as unknown;
      return Object.assign((await super.transform(opaque.rest, metadata)) as object, opaque.taken);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (metadata.type === 'body') throw invalidRequest(withPointers(error.problems));
      throw metadata.type === 'query' ? invalidRequest(error.problems.map(withIdHint)) : error;
    }
  }
}

/** The body with an empty object at the place of each field that is taken as it came, and those fields. */
function opaqueOf(body: unknown, form: ArgumentMetadata['metatype']): { rest: object; taken: object } | undefined {
  if (form === undefined || !isFields(body)) return undefined;
  const fields = opaqueFields(form.prototype as object).filter((field) => isFields(body[field]));
  if (fields.length === 0) return undefined;
  const taken: Fields = {};
  const rest: Fields = { ...body };
  for (const field of fields) {
    taken[field] = body[field];
    rest[field] = {};
  }
  return { rest, taken };
}

type Fields = Record<string | symbol, unknown>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Ids in queries have one spelling. */
function withIdHint(problem: Problem): Problem {
  const thing = /^([a-z]+)(?:_id|Id)$/.exec(problem.field ?? '')?.[1];
  if (problem.code !== 'unknown_field' || thing === undefined) return problem;
  return { ...problem, suggestion: `In queries an id is named by its thing alone: ${thing}.` };
}

export function invalidRequest(problems: Problem[]): AppError {
  return new AppError('invalid_request', 'The request has fields that are missing, unknown or of the wrong form.', {
    category: 'bad_request',
    problems,
  });
}

const RULES = {
  whitelist: true,
  forbidNonWhitelisted: true,
  forbidUnknownValues: true,
  // Keeps both for the rules; they are never shown.
  validationError: { target: true, value: true },
};

export function createValidationPipe(): ValidationPipe {
  return new RequestPipe({
    ...RULES,
    transform: true,
    exceptionFactory: (errors) => invalidRequest(flatten(errors, '')),
  });
}

/** Fields that came in another way than a body of JSON, by the same rules. Throws `invalid_request`. */
export function validated<T extends object>(type: new () => T, fields: Record<string, unknown>): T {
  // Every object has these: the validator would take them for its own.
  const builtIn = Object.keys(fields).filter((name) => name in Object.prototype);
  if (builtIn.length > 0) throw invalidRequest(builtIn.map((name) => problem(name, UNKNOWN, '')));
  const value = Object.assign(new type(), fields);
  const errors = validateSync(value, RULES);
  if (errors.length > 0) throw invalidRequest(flatten(errors, ''));
  return value;
}
