import { shortenWithin } from '../../base/shorten';

const MAX_DESCRIPTION = 300;

/** A description on one line and of a length that a list of parameters can show; nothing when it says nothing. */
export function sentenceOf(text: string | undefined): string | undefined {
  const clean = (text ?? '')
    .slice(0, 4000)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  if (clean === '') return undefined;
  return shortenWithin(clean, MAX_DESCRIPTION);
}

/** Names that a data object must not have as keys. */
const RESERVED = new Set(['__proto__', 'constructor', 'prototype']);

export function isReserved(name: string): boolean {
  return RESERVED.has(name);
}

/** Lower-case words joined by `joint`: `Filing.TaxYear` → `filing_tax_year`. */
export function wordsOf(text: string, joint: '_' | '-'): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, joint)
    .replace(new RegExp(`^${joint}+|${joint}+$`, 'g'), '');
}

/** The slug of a connector that is called so. */
export function slugOf(title: string, fallback: string): string {
  const slug = wordsOf(title.slice(0, 200), '-').slice(0, 63).replace(/-+$/, '');
  return slug === '' ? fallback : slug;
}
