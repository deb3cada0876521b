import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { AppError } from '../../core/errors/app-error';
import { asText } from './as-text';
import type { ModelUsage, ProviderName } from './types';

/** US dollars per million tokens. */
interface Price {
  input: number;
  output: number;
  /** Absent = like input. */
  cached_input?: number;
  /** Rates of the whole request once its input is longer than `tokens`. */
  above?: Price & { tokens: number };
}

export interface PriceTable {
  version: string;
  /** US dollars of one call; null when the model or a count of its tokens is unknown, or has no list price. */
  cost(provider: ProviderName, model: string, usage: ModelUsage | null): number | null;
}

const PER_MILLION = 1_000_000;
const DATED = /-(?:\d{8}|\d{4}-\d{2}-\d{2})$/;

/** Throws AppError `invalid_price_table` when the file is no price table. */
export function loadPrices(path: string): PriceTable {
  return priceTable(parse(readFileSync(path, 'utf8'), { maxAliasCount: 0 }) as unknown);
}

export function priceTable(document: unknown): PriceTable {
  const root = record(document, 'the file');
  const prices = new Map<string, Price>();
  for (const provider of ['openai', 'anthropic'] as const) {
    for (const [model, price] of Object.entries(record(root[provider] ?? {}, provider))) {
      prices.set(`${provider}/${model}`, readPrice(price, `${provider}.${model}`));
    }
  }
  return {
    version: asText(root['version']),
    cost(provider, model, usage) {
      const price = prices.get(`${provider}/${model}`) ?? prices.get(`${provider}/${model.replace(DATED, '')}`);
      const tokens = usage === null ? undefined : knownTokens(usage);
      return price === undefined || tokens === undefined ? null : costOf(price, tokens);
    },
  };
}

interface KnownTokens {
  input: number;
  output: number;
  cached: number;
}

/** Undefined when a count is not known, or has no list price: a part of the money would read as all of it. */
function knownTokens(usage: ModelUsage): KnownTokens | undefined {
  const { input_tokens: input, output_tokens: output, cached_input_tokens: cached, unlisted } = usage;
  const isKnown = input !== null && output !== null && cached !== null && cached <= input && unlisted !== true;
  return isKnown ? { input, output, cached } : undefined;
}

function costOf(price: Price, { input, output, cached }: KnownTokens): number {
  const rate: Price = price.above !== undefined && input > price.above.tokens ? price.above : price;
  const paid = (input - cached) * rate.input + cached * (rate.cached_input ?? rate.input) + output * rate.output;
  return Number((paid / PER_MILLION).toFixed(9));
}

function readPrice(value: unknown, where: string): Price {
  const fields = record(value, where);
  const price: Price = {
    input: amount(fields['input'], `${where}.input`),
    output: amount(fields['output'], `${where}.output`),
  };
  if (fields['cached_input'] !== undefined) {
    price.cached_input = amount(fields['cached_input'], `${where}.cached_input`);
  }
  if (fields['above'] !== undefined) {
    const tokens = amount(record(fields['above'], `${where}.above`)['tokens'], `${where}.above.tokens`);
    price.above = { ...readPrice(fields['above'], `${where}.above`), tokens };
  }
  return price;
}

function amount(value: unknown, where: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
    throw invalid(where, 'a number of 0 or more');
  }
  return value;
}

function record(value: unknown, where: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(where, 'a map');
  }
  return value as Record<string, unknown>;
}

function invalid(where: string, expected: string): AppError {
  return new AppError('invalid_price_table', `Price table: ${where} is not valid. Expected ${expected}.`, {
    category: 'internal',
  });
}
