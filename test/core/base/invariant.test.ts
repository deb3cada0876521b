import { describe, expect, it } from '@jest/globals';
import { assertNever } from '../../../core/base/assert-never';
import { invariant } from '../../../core/base/invariant';
import { AppError } from '../../../core/errors/app-error';

function errorOf(run: () => void): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('invariant', () => {
  it('lets what holds pass', () => {
    expect(errorOf(() => invariant(true, 'Never shown.'))).toBeUndefined();
    expect(errorOf(() => invariant('text', 'Never shown.'))).toBeUndefined();
  });

  it.each([false, 0, '', null, undefined])('refuses %p with a coded error', (value) => {
    const error = errorOf(() => invariant(value, 'A run has a plan.'));
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'internal_error', category: 'internal', retryable: false });
    expect((error as AppError).message).toContain('A run has a plan.');
  });

  it('narrows the type', () => {
    const value: string | undefined = Number('1') === 1 ? 'text' : undefined;
    invariant(value !== undefined, 'There is a value.');
    expect(value.length).toBe(4);
  });
});

describe('assertNever', () => {
  it('names the value that should not exist', () => {
    const error = errorOf(() => assertNever('purple' as never, 'colour'));
    expect(error).toMatchObject({ code: 'internal_error' });
    expect((error as AppError).message).toContain('Unexpected colour: purple');
  });

  it('does not print the content of an object', () => {
    const error = errorOf(() => assertNever({ password: 'hunter2' } as never));
    expect((error as AppError).message).not.toContain('hunter2');
  });
});
