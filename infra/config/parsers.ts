import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { isHostPattern } from '../egress/secret-hosts';

/** Building blocks of the configuration; every one reads the text of an environment variable. */
export const text = z.string().trim().min(1);

export function integer(min: number, max: number): z.ZodType<number, string> {
  return z.string().trim().regex(/^\d+$/).transform(Number).pipe(z.number().int().min(min).max(max));
}

export const flag = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.enum(['1', '0', 'on', 'off', 'true', 'false']))
  .transform((value) => value === '1' || value === 'on' || value === 'true');

export const url = z
  .string()
  .trim()
  .pipe(z.url({ protocol: /^https?$/ }));
export const postgresUrl = z
  .string()
  .trim()
  .pipe(z.url({ protocol: /^postgres(ql)?$/ }));
export const httpProxy = z
  .string()
  .trim()
  .pipe(z.url({ protocol: /^http$/ }))
  .refine((value) => new URL(value).pathname === '/' && new URL(value).search === '');
export const hostPort = z
  .string()
  .trim()
  .regex(/^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):\d{1,5}$/);

export const timeZone = z
  .string()
  .trim()
  .refine((zone) => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: zone }).format(0) !== '' && !/^[+-]/.test(zone);
    } catch {
      return false;
    }
  });

export const path = text.transform((value) => (isAbsolute(value) ? value : resolve(value)));

function list<T>(separator: RegExp, item: z.ZodType<T, string>): z.ZodType<readonly T[], string> {
  return z
    .string()
    .transform((value) =>
      value
        .split(separator)
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .pipe(z.array(item))
    .transform((items): readonly T[] => Object.freeze(items));
}

export const hostPorts = list(/,/, hostPort);
export const hostPatterns = list(
  /,/,
  z.string().refine((value) => isHostPattern(value)),
);
export const paths = list(/[:,]/, path);
export const models = list(/,/, z.string().regex(/^(openai|anthropic)\/\S+$/));
