import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../../core/errors/app-error';
import { createValidationPipe } from '../../../src/http/validation';
import { StartRunDto } from '../../../src/runs/dto/start-run.dto';

/** The body of a request as its handler gets it, or what is wrong with it. */
async function taken(body: unknown): Promise<unknown> {
  try {
    return await createValidationPipe().transform(body, { type: 'body', metatype: StartRunDto });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.problems.map(({ field, message }) => `${field}: ${message}`);
  }
}

describe('an object of any fields in a body', () => {
  it('is taken as it came, and the body keeps what it had', async () => {
    const inputs = { playbook: null, list: [{ deep: ['ä', 1, null, {}] }], run_context: 'no' };
    const body = { playbook: 'p', inputs };
    const start = (await taken(body)) as StartRunDto;
    expect(start).toBeInstanceOf(StartRunDto);
    expect(start).toEqual({ playbook: 'p', inputs });
    expect(start.inputs).toBe(inputs);
    expect(body).toEqual({ playbook: 'p', inputs });
  });

  it('is an empty one where none was given', async () => {
    expect(await taken({ playbook: 'p' })).toEqual({ playbook: 'p', inputs: {} });
  });

  it.each<[string, unknown, string]>([
    ['a list', [{}], 'must be a JSON object'],
    ['a text', 'x', 'must be a JSON object'],
    ['null', null, 'must not be null: leave it out'],
  ])('is no %s', async (_what, inputs, message) => {
    expect(await taken({ playbook: 'p', inputs })).toEqual([`inputs: inputs ${message}`]);
  });

  it('hides nothing that is wrong beside it', async () => {
    expect(await taken({ playbook: 7, inputs: {}, imputs: {} })).toEqual([
      'imputs: "imputs" is not a field of this request.',
      'playbook: playbook must be text',
    ]);
  });
});
