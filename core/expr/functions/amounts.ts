import type { ExactNumbers } from '../../base/exact-numbers';
import { ExactSum } from '../../base/exact-sum';
import { decimalText, roundDecimal, type Decimal } from '../../base/decimal';
import type { Json } from '../../base/json';
import { exactDecimal, isNumeric, numberOfDecimal } from '../../base/number-rule';
import { orderOf } from '../compare';
import { finite, roundKept, roundTo } from '../numbers';
import { isWhole, present, type CallContext, type FunctionEntry, type FunctionTable, type Value } from './entry';

/** Decimal places that `format_number` writes. */
const MOST_PLACES = 15;

export const AMOUNTS: FunctionTable = [
  ['abs', { params: 'value: number', gives: 'number', example: 'abs({a.change})', call: absolute }],
  ['round', { params: 'value: number, places?: number', gives: 'number', example: 'round({a.share}, 2)', call: round }],
  [
    'floor',
    { params: 'value: number', gives: 'number', example: 'floor({a.share})', call: ([value]) => whole(value, -1n) },
  ],
  [
    'ceil',
    { params: 'value: number', gives: 'number', example: 'ceil({a.share})', call: ([value]) => whole(value, 1n) },
  ],
  ['mod', { params: 'value: number, by: number', gives: 'number', example: 'mod({a.count}, 10)', call: modulo }],
  ['min', extremes('min({a}, {b}) or min({a.list})', -1)],
  ['max', extremes('max({a}, {b}) or max({a.list})', 1)],
  ['sum', { params: 'list: list', gives: 'number', example: 'sum({a.results[*].amount})', call: sum }],
  [
    'format_number',
    {
      params: 'value: number, places?: number, group?: text, point?: text',
      gives: 'text',
      example: "format_number({a.amount}, 2, ',', '.')",
      call: formatNumber,
    },
  ],
];

function absolute([value]: readonly Value[], { exact }: CallContext): Json {
  if (typeof value === 'number') return finite(Math.abs(value));
  if (typeof value !== 'string' || !isNumeric(value) || !exact()) return null;
  return value.startsWith('-') ? value.slice(1) : value;
}

function round(args: readonly Value[], { exact }: CallContext): Json {
  const value = args[0];
  const places = args.length > 1 ? args[1] : 0;
  if (typeof places !== 'number') return null;
  if (typeof value === 'number') return roundTo(value, places, exact);
  return typeof value === 'string' && isNumeric(value) && exact() ? roundKept(value, places) : null;
}

/** The nearest whole number that is not above (`-1n`) or not below (`1n`) the value. */
function whole(value: Value, towards: 1n | -1n): Json {
  const decimal = exactDecimal(value);
  if (decimal === undefined) return null;
  if (decimal.places <= 0) return numberOfDecimal(decimal);
  const unit = 10n ** BigInt(decimal.places);
  const cut = decimal.digits / unit;
  const rest = decimal.digits - cut * unit;
  const away = rest !== 0n && rest > 0n === towards > 0n;
  return numberOfDecimal({ digits: away ? cut + towards : cut, places: 0 });
}

/** What is left of a division by whole parts; it has the sign of the divisor. Null for a division by zero. */
function modulo([value, by]: readonly Value[]): Json {
  const [left, right] = [exactDecimal(value), exactDecimal(by)];
  if (left === undefined || right === undefined || right.digits === 0n) return null;
  const places = Math.max(left.places, right.places);
  const [a, b] = [scaled(left, places), scaled(right, places)];
  const rest = a % b;
  return numberOfDecimal({ digits: rest !== 0n && rest < 0n !== b < 0n ? rest + b : rest, places });
}

function scaled({ digits, places }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(to - places);
}

function extremes(example: string, sign: 1 | -1): FunctionEntry {
  return {
    params: 'value: any, ...more: any',
    gives: 'any',
    example,
    ignoresNulls: true,
    call: (args, { exact }) => extreme(args, sign, exact),
  };
}

/** Skips nulls, as SQL does; then all must be numbers (also such as are kept as text), or all texts. */
function extreme(args: readonly Value[], sign: 1 | -1, exact: ExactNumbers): Json {
  const [only] = args;
  const values = present(args.length === 1 && Array.isArray(only) ? only : args);
  let best: Json | undefined;
  for (const value of values) {
    if (typeof value !== 'number' && typeof value !== 'string') return null;
    const order = best === undefined ? sign : orderOf(value, best, exact);
    if (order === undefined) return null;
    if (order * sign > 0) best = value;
  }
  return best ?? null;
}

/** Null entries are skipped, as in SQL; the sum of nothing is 0. */
function sum([list]: readonly Value[], { exact }: CallContext): Json {
  if (!Array.isArray(list)) return null;
  const values = present(list);
  const older = values.reduce<number | null>(
    (total, value) => (total === null || typeof value !== 'number' ? null : total + value),
    0,
  );
  const newer = exactSum(values);
  const before = older === null ? null : finite(older);
  return newer === before || !exact() ? before : newer;
}

function exactSum(values: readonly Json[]): number | string | null {
  const total = new ExactSum();
  for (const value of values) {
    if (typeof value === 'number') total.add(value);
    else {
      const kept = exactDecimal(value);
      if (kept === undefined) return null;
      total.addKept(kept);
    }
  }
  const { result } = total;
  return typeof result === 'number' ? finite(result) : (result ?? null);
}

/** With all its digits, or rounded to so many places (halves away from zero); groups of three digits are set apart. */
function formatNumber(args: readonly Value[], { meter }: CallContext): Json {
  const [value, places] = args;
  const group = args.length > 2 ? args[2] : ',';
  const point = args.length > 3 ? args[3] : '.';
  const decimal = exactDecimal(value);
  if (decimal === undefined || typeof group !== 'string' || typeof point !== 'string') return null;
  const wanted = args.length > 1 ? places : Math.max(0, decimal.places);
  if (!isWhole(wanted) || wanted < 0 || (args.length > 1 && wanted > MOST_PLACES)) return null;
  const rounded = roundDecimal(decimal, wanted, 'away');
  meter.use(decimalText(rounded).length * (1 + group.length));
  const digits = scaled(rounded, Math.max(wanted, rounded.places))
    .toString()
    .replace('-', '')
    .padStart(wanted + 1, '0');
  const cut = digits.length - wanted;
  const grouped = inThrees(digits.slice(0, cut)).join(group);
  const sign = rounded.digits < 0n ? '-' : '';
  return `${sign}${grouped}${wanted === 0 ? '' : point + digits.slice(cut)}`;
}

function inThrees(digits: string): string[] {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups;
}
