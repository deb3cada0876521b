import { describe, expect, it } from '@jest/globals';
import { listContracts } from '../../../core/actions/registry';
import type { ActionContract } from '../../../core/actions/types';
import { toolSpecs } from '../../../core/schema/tool-specs';

const search: ActionContract = {
  name: 'search',
  group: 'search',
  description: 'Searches.',
  step_type: 'tool',
  inputs: [
    { name: 'query', type: 'string', required: true, description: 'Words' },
    { name: 'kinds', type: 'string[]', enum: ['a', 'b'] },
  ],
  params: [
    { name: 'order', type: 'string', enum: ['new', 'old'], default: 'new' },
    { name: 'query', type: 'string' },
  ],
  outputs: [],
  short: true,
  pure: false,
  effect: 'none',
  available: true,
};

describe('toolSpecs', () => {
  it('describes an action by its contract', () => {
    const { specs, problems } = toolSpecs(['search', 'search'], [search]);
    expect(problems).toEqual([]);
    expect(specs).toEqual([
      {
        name: 'search',
        description: 'Searches.',
        parameters: {
          type: 'object',
          properties: {
            query: { type: 'string', description: 'Words' },
            kinds: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
            order: { type: 'string', enum: ['new', 'old'], default: 'new' },
          },
          required: ['query'],
          additionalProperties: false,
        },
        params: ['order'],
      },
    ]);
  });

  it('offers endpoints that only read', () => {
    const endpoints = new Map([
      [
        'sec.search',
        { description: 'Filings', inputs: [{ name: 'cik', type: 'string', required: true }], effect: 'none' },
      ],
      ['sec.submit', { description: 'Files', inputs: [], effect: 'unsafe' }],
    ]);
    const { specs, problems } = toolSpecs(['sec.search', 'sec.submit', 'sec.gone'], [search], endpoints);
    expect(specs).toEqual([
      {
        name: 'sec.search',
        description: 'Filings',
        parameters: {
          type: 'object',
          properties: { cik: { type: 'string' } },
          required: ['cik'],
          additionalProperties: false,
        },
        params: [],
      },
    ]);
    expect(problems.map((problem) => problem.code)).toEqual(['tool_has_effect', 'unknown_tool']);
  });

  it('every executable reading action of the registry can be offered', () => {
    const names = listContracts().filter(
      (entry) =>
        entry.step_type === 'tool' &&
        entry.effect === 'none' &&
        entry.available &&
        entry.dynamic !== 'connector_endpoint',
    );
    const { specs, problems } = toolSpecs(
      names.map((entry) => entry.name),
      listContracts(),
    );
    expect(problems).toEqual([]);
    expect(specs).toHaveLength(names.length);
  });
});
