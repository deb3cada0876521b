import { parseArgs } from 'node:util';
import { FULL, QUICK, type Size } from './scenarios';
import type { Scenario } from './scenario';

export interface Options {
  size: Size;
  quick: boolean;
  write: boolean;
  /** CPU profiles instead of a comparison. */
  profile: boolean;
  /** Further processes of this machine that take part, such as another Temporal server and its database. */
  processes: { [name: string]: number };
  /** Chosen scenarios; `W1` means all of W1, `W1 c20/pure` one implementation. */
  only: string[];
}

export function parseOptions(args: string[]): Options {
  const flag = { type: 'boolean', default: false } as const;
  const text = { type: 'string' } as const;
  const { quick, write, profile, rounds, only, processes } = parseArgs({
    args,
    options: { quick: flag, write: flag, profile: flag, rounds: text, only: text, processes: text },
  }).values;
  const size = quick ? QUICK : FULL;
  return {
    size: { ...size, rounds: Number(rounds ?? size.rounds) },
    quick,
    write,
    profile,
    processes: processesOf(processes),
    only: only?.split(',') ?? [],
  };
}

/** `name=pid,name=pid`. */
function processesOf(text = ''): Options['processes'] {
  const pairs = text.split(',').filter(Boolean);
  const found = pairs.map((pair) => /^([\w-]+)=(\d+)$/.exec(pair));
  if (found.includes(null)) throw new Error('--processes takes name=pid,name=pid, such as temporal=1234');
  return Object.fromEntries(found.map((each) => [each?.[1] ?? '', Number(each?.[2])]));
}

/** True if any part of this scenario is selected. */
export function isWanted({ only }: Options, scenario: string): boolean {
  return only.length === 0 || only.some((each) => fits(each.split('/')[0] ?? '', scenario));
}

/** True if nothing else is selected. */
export function onlyOf({ only }: Options, scenario: string): boolean {
  return only.length > 0 && only.every((each) => each === scenario);
}

/** Scenarios that are asked for, each with the implementations that are. */
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
