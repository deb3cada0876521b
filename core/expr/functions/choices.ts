import type { Json } from '../../base/json';
import { isTruthy } from '../truthy';
import { isPresent, present, type FunctionTable, type Value } from './entry';

/** `if` and `case` evaluate the value that they choose alone: see `choose`. */
export const CHOICES: FunctionTable = [
  [
    'if',
    {
      params: 'condition: any, then: any, else?: any',
      gives: 'any',
      example: "if({a.count} > 0, 'found', 'nothing')",
      mayFindNothing: true,
      call: (args) => choose(args.map((value) => () => value)) ?? null,
    },
  ],
  [
    'case',
    {
      params: 'condition: any, then: any, ...more: any',
      gives: 'any',
      example: "case({a.score} >= 90, 'high', {a.score} >= 50, 'middle', 'low')",
      mayFindNothing: true,
      call: (args) => choose(args.map((value) => () => value)) ?? null,
    },
  ],
  [
    'coalesce',
    {
      params: 'value: any, ...more: any',
      gives: 'any',
      example: "coalesce({a.name}, 'unknown')",
      ignoresNulls: true,
      call: (args) => present(args)[0] ?? null,
    },
  ],
];

export function isChoice(name: string): boolean {
  return name === 'if' || name === 'case';
}

/** Pairs of a condition and a value; what is left over at the end is the value where no condition holds. */
export function choose(args: readonly (() => Value)[]): Json | undefined {
  for (let at = 0; at + 1 < args.length; at += 2) {
    if (isTruthy(args[at]?.())) return valueOf(args[at + 1]);
  }
  return args.length % 2 === 1 ? valueOf(args.at(-1)) : null;
}

function valueOf(argument: (() => Value) | undefined): Json {
  const value = argument?.();
  return isPresent(value) ? value : null;
}
