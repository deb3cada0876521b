import { createHmac, randomBytes } from 'node:crypto';
import type { SecretHandle } from '../../core/connector/auth-types';
import { AppError } from '../../core/errors/app-error';
import type { ResolvedSecret, SecretSource } from '../../infra/secrets/secret-source';

export interface SecretNames {
  /** Owner's secret name: it separates limits, breakers, kept answers and states of credentials. */
  name: string;
  /** Name in messages: the owner's own name of the secret is not shown to others. */
  shown: string;
}

/** A secret for the length of one call. */
export interface HeldSecret extends SecretNames {
  value: string;
  version: string;
  allowedHosts: readonly string[];
  /** Owner of the secret, where that is not the caller. */
  ownerId?: string;
}

/** Throws `secret_not_found` or `invalid_secret`. */
export async function holdSecret(secrets: SecretSource, ownerId: string, handle: SecretHandle): Promise<HeldSecret> {
  const secret = await secrets.resolve(ownerId, handle.secret);
  const { value, allowedHosts, version, ownerId: holder } = secret;
  const names = secretNamesOf(secret, handle.secret);
  if (value === '') {
    throw invalidSecret(names.shown, 'is empty');
  }
  const held = { ...names, value, allowedHosts, version: version ?? versionOf(value) };
  return holder === undefined ? held : { ...held, ownerId: holder };
}

export function secretNamesOf({ name, ownerId }: Pick<ResolvedSecret, 'name' | 'ownerId'>, asked: string): SecretNames {
  const own = name ?? asked;
  return { name: own, shown: ownerId === undefined ? own : asked };
}

/** Throws `invalid_secret` for what a header cannot carry. */
export function requireHeaderText({ shown, value }: HeldSecret): void {
  if (!/^[\x20-\x7e]{1,8000}$/.test(value)) {
    throw invalidSecret(shown, 'contains characters that a header cannot carry');
  }
}

/** `first:second`. Throws `invalid_secret`. */
export function pairOf({ shown, value }: HeldSecret, expected: string): [string, string] {
  const at = value.indexOf(':');
  if (at < 1) {
    throw invalidSecret(shown, `must be \`${expected}\``);
  }
  return [value.slice(0, at), value.slice(at + 1)];
}

function invalidSecret(name: string, what: string): AppError {
  return new AppError('invalid_secret', `The secret \`${name}\` ${what}. Store it again with the right value.`, {
    category: 'bad_request',
  });
}

/** Key of this process for digests: a reader of a plain digest could try out values. */
const PROCESS_KEY = randomBytes(32);

function versionOf(value: string): string {
  return createHmac('sha256', PROCESS_KEY).update(value).digest('hex').slice(0, 32);
}
