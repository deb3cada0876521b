import { parseArgs } from 'node:util';
import { FULL, QUICK, type Size } from './scenarios';
import type { Scenario } from './scenario';

export interface Options {
  size: Size;
  quick: boolean;
  write: boolean;
  /** CPU profiles in place of a comparison. */
  profile: boolean;
  /** Only these scenarios; `W1` stands for all of W1, `W1 c20/pure` for one implementation. */
  only: string[];
}

export function parseOptions(args: string[]): Options {
  const flag = { type: 'boolean', default: false } as const;
  const { quick, write, profile, rounds, only } = parseArgs({
    args,
    options: { quick: flag, write: flag, profile: flag, rounds: { type: 'string' }, only: { type: 'string' } },
  }).values;
  const size = quick ? QUICK : FULL;
  return {
    size: { ...size, rounds: Number(rounds ?? size.rounds) },
    quick,
    write,
    profile,
    only: only?.split(',') ?? [],
  };
}

/** Is something of this scenario asked for? */
export function isWanted({ only }: Options, scenario: string): boolean {
  return only.length === 0 || only.some((each) => fits(each.split('/')[0] ?? '', scenario));
}

/** What is asked for of these, with the implementations that are. */
export function chosenOf(options: Options, all: readonly Scenario[]): Scenario[] {
  return all
    .filter(({ name }) => isWanted(options, name))
    .map((scenario) => ({
      ...scenario,
      implementations: scenario.implementations.filter(({ name }) => isChosen(options, scenario.name, name)),
    }));
}

function isChosen({ only }: Options, scenario: string, implementation: string): boolean {
  if (only.length === 0) return true;
  return only.some((each) => {
    const [wanted = '', ...one] = each.split('/');
    return fits(wanted, scenario) && (one.length === 0 || one.join('/') === implementation);
  });
}

function fits(wanted: string, scenario: string): boolean {
  return scenario === wanted || scenario.startsWith(`${wanted} `);
}
