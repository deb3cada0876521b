import type { ZodType } from 'zod';

/** One environment variable: its name, what it means, its default as a person would write it, and how it is read. */
export interface Variable<T> {
  name: string;
  description: string;
  default?: string;
  /** Ready for a sentence: "a port number from 1 to 65535". */
  expected: string;
  schema: ZodType<T, string>;
}

export interface Described {
  description: string;
  default?: string;
  expected: string;
}

export function required<T>(
  name: string,
  about: Described & { default: string },
  schema: ZodType<T, string>,
): Variable<T> {
  return { name, ...about, schema };
}

/** A variable that may be missing: its value is then undefined. */
export function optional<T>(name: string, about: Described, schema: ZodType<T, string>): Variable<T | undefined> {
  return { name, ...about, schema };
}
