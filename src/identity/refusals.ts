import { AppError } from '../../core/errors/app-error';
import type { Identity } from '../access/identity';

/** Refuses acts that would give more rights than the credential of this call has. Throws `key_is_limited`. */
export function refuseLimited(who: Identity, act = 'makes no further credentials'): void {
  if (who.limited) {
    throw new AppError('key_is_limited', `An API key with limits ${act}. Sign in, or use a key without limits.`, {
      category: 'forbidden',
    });
  }
}

export function scopesExceeded(scopes: readonly string[]): AppError {
  return new AppError('scopes_exceeded', `You do not have, so you cannot give: ${scopes.join(', ')}.`, {
    category: 'forbidden',
  });
}

export function handleTaken(handle: string): AppError {
  return new AppError('handle_taken', `The handle "${handle}" is taken. Choose another one.`, { category: 'conflict' });
}

export function linkInvalid(): AppError {
  return new AppError(
    'link_invalid',
    'This link was used, has expired, or never was one of ours. Ask the person who gave it to you for a new one.',
    { category: 'not_found' },
  );
}

export function notFound(what: string, id: string): AppError {
  return new AppError(`${what.replaceAll(' ', '_')}_not_found`, `There is no ${what} "${id}".`, {
    category: 'not_found',
  });
}
