import { isJsonObject, ownField, type Json, type JsonObject } from '../base/json';
import { AppError } from '../errors/app-error';

/** Reads rendered params: a reference may have brought any type, so each is checked where it is used. */
export function textOption(options: JsonObject, name: string): string | undefined {
  const value = ownField(options, name) ?? null;
  if (value === null || value === '') {
    return undefined;
  }
  if (typeof value === 'string' || typeof value === 'number') {
    return String(value);
  }
  throw invalid(name, 'text');
}

export function flagOption(options: JsonObject, name: string, fallback: boolean): boolean {
  const value = ownField(options, name) ?? fallback;
  if (typeof value !== 'boolean') {
    throw invalid(name, 'true or false');
  }
  return value;
}

/** A whole number between bounds. */
export function countOption(options: JsonObject, name: string, range: { fallback: number; most: number }): number {
  const value = ownField(options, name) ?? range.fallback;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1 || value > range.most) {
    throw invalid(name, `a whole number from 1 to ${range.most}`);
  }
  return value;
}

/** One name or a list of names. */
export function namesOption(options: JsonObject, name: string): string[] {
  const value = ownField(options, name) ?? null;
  const list = value === null || value === '' ? [] : Array.isArray(value) ? value : [value];
  return list.map((element) => (typeof element === 'string' && element !== '' ? element : refuse(name)));
}

function refuse(name: string): never {
  throw invalid(name, 'a field name or a list of field names');
}

export function invalid(name: string, expected: string): AppError {
  return new AppError('invalid_params', `\`${name}\` must be ${expected}.`, {
    category: 'validation',
    details: { field: name },
  });
}

/** Records of an input that may be one record or a list; null elements (failed items) are left out. */
export function recordsInput(value: Json | undefined, name: string): JsonObject[] {
  if (value === undefined || value === null) {
    throw new AppError(
      'missing_data',
      `\`${name}\` is empty: expected a list of records. The step that it comes from was skipped, failed or gave no such field.`,
      {
        category: 'validation',
      },
    );
  }
  const list: Json[] = Array.isArray(value) ? value : [value];
  return list
    .filter((element) => element !== null)
    .map((element, index) => {
      if (isJsonObject(element)) {
        return element;
      }
      throw new AppError('invalid_data', `Element ${index} of \`${name}\` is no record with named fields.`, {
        category: 'validation',
      });
    });
}
