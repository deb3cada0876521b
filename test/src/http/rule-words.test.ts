import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../../core/errors/app-error';
import { validated } from '../../../src/http/validation';
import { BulkDecideDto } from '../../../src/approvals/dto/inbox.dto';
import { StartRunDto } from '../../../src/runs/dto/start-run.dto';

/** Answer of the API to a body, field by field. */
function said(type: new () => object, body: Record<string, unknown>): string[] {
  try {
    validated(type, body);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.problems.map(({ message }) => message);
  }
}

describe('what is wrong with a field is said in words of JSON', () => {
  it.each<[string, unknown, string]>([
    ['playbook', ['x'], 'playbook must be text'],
    ['playbook', '', 'playbook must not be empty'],
    ['playbook', undefined, 'playbook is missing'],
    ['playbook', 'x'.repeat(201), 'playbook must have at most 200 characters'],
    ['inputs', 'none', 'inputs must be a JSON object'],
    ['approval_policy', 'maybe', 'approval_policy must be one of require, auto_approve'],
    ['profile_id', 7, 'profile_id must be a UUID'],
    ['time_zone', { name: 'UTC' }, 'time_zone must be text'],
    ['owner_id', 'me', '"owner_id" is not a field of this request.'],
  ])('%s: %j', (field, value, sentence) => {
    expect(said(StartRunDto, { playbook: 'p', [field]: value })).toEqual([sentence]);
  });

  it('of lists and of what lies in them', () => {
    expect(said(BulkDecideDto, { items: 'x' })).toEqual(['items must be a list']);
    expect(said(BulkDecideDto, { items: [] })).toEqual(['items must not be empty']);
    expect(said(BulkDecideDto, { items: ['x'] })).toEqual(['each element of items must be a JSON object']);
  });
});
