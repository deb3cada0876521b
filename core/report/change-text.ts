import type { Json } from '../base/json';
import { shownNumber } from './shown-number';

const LONGEST = 500;

/** A change of a field, whose values an API names without a type. Absent: there is none. */
export interface ShownChange {
  field: string;
  before?: unknown;
  now?: unknown;
}

/** `amount: 12,500.5 → 1`. A text stands in quotes: `""`, `"1"` and `null` are something else than nothing, 1 and no value. */
export function changeText({ field, before, now }: ShownChange): string {
  return `${field}: ${valueText(before as Json | undefined, field)} → ${valueText(now as Json | undefined, field)}`;
}

function valueText(value: Json | undefined, field: string): string {
  if (value === undefined) return 'not there';
  if (typeof value === 'number') return shownNumber(value, field.slice(field.lastIndexOf('.') + 1));
  const text = JSON.stringify(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)} and ${text.length - LONGEST} characters more`;
}
