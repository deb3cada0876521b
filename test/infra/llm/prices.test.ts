import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadPrices, priceTable } from '../../../infra/llm/prices';

const usage = (input: number | null, output: number | null, cached: number | null = 0) => ({
  input_tokens: input,
  output_tokens: output,
  cached_input_tokens: cached,
});

describe('prices', () => {
  const prices = loadPrices(join(__dirname, '../../../catalog/prices.yaml'));

  it('ships a versioned table of both providers', () => {
    expect(prices.version).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(prices.cost('anthropic', 'claude-opus-5-5', usage(1_000_000, 1_000_000))).toBe(24);
    expect(prices.cost('openai', 'gpt-5.4-nano', usage(10_000, 1000))).toBe(0.00325);
  });

  it('counts cached input at its own rate', () => {
    expect(prices.cost('anthropic', 'claude-opus-5-5', usage(1_000_000, 0, 500_000))).toBe(2.1);
  });

  it('charges the whole request at the long rate once the input is longer', () => {
    expect(prices.cost('openai', 'gpt-6-sol', usage(272_000, 0))).toBe(0.544);
    expect(prices.cost('openai', 'gpt-6-sol', usage(272_001, 1_000_000))).toBe(16.088004);
    expect(prices.cost('anthropic', 'claude-haiku-5-5', usage(200_000, 0))).toBe(0.1);
  });

  it('takes a dated name for its model', () => {
    expect(prices.cost('openai', 'gpt-5.4-mini-2026-03-17', usage(1_000_000, 0))).toBe(0.75);
    expect(prices.cost('anthropic', 'claude-haiku-4-5-20251001', usage(1_000_000, 0))).toBe(1);
  });

  it('what is not known is null, not 0', () => {
    expect(prices.cost('openai', 'llama-9', usage(5, 5))).toBeNull();
    const unlisted = { ...usage(5, 5), unlisted: true as const };
    for (const counts of [usage(null, 5), usage(5, null), usage(5, 5, null), usage(5, 5, 6), unlisted]) {
      expect(prices.cost('openai', 'gpt-6-sol', counts)).toBeNull();
    }
    expect(prices.cost('anthropic', 'gpt-6-sol', usage(5, 5))).toBeNull();
    expect(prices.cost('openai', 'gpt-6-sol', null)).toBeNull();
    expect(prices.cost('openai', '__proto__', usage(5, 5))).toBeNull();
  });

  it.each([
    ['no map', 7],
    ['no number', { openai: { x: { input: 'free', output: 1 } } }],
    ['a negative price', { openai: { x: { input: -1, output: 1 } } }],
    ['a missing output', { openai: { x: { input: 1 } } }],
  ])('refuses %s', (_name, document) => {
    expect(() => priceTable(document)).toThrow(expect.objectContaining({ code: 'invalid_price_table' }));
  });
});
