import type * as Re2 from 're2js';
import type { Json } from '../../base/json';
import { memoized } from '../memo';
import type { WorkMeter } from '../work-meter';
import { MAX_PATTERN_PARTS, patternSize } from './pattern-size';
import type { CallContext, FunctionTable, Value } from './entry';

/** Loaded where a pattern is used: most runs have none. */
const engine = (): typeof Re2 => require('re2js') as typeof Re2;

/** Characters of a pattern. */
const MAX_PATTERN = 1_000;
/** Units for a character, at least: a pattern of some instructions is looked at by an automaton. */
const LEAST_UNITS = 8;
/** Units for each part of a pattern that an expression uses for the first time: it may have to be compiled. */
const COMPILING = 400;

export const PATTERNS: FunctionTable = [
  [
    'matches',
    {
      params: 'value: text, pattern: text',
      gives: 'boolean',
      example: "matches({a.ein}, '^[0-9]{9}$')",
      call: matches,
    },
  ],
  [
    'extract',
    {
      params: 'value: text, pattern: text, group?: number|text',
      gives: 'text',
      example: "extract({a.text}, 'EIN ([0-9-]+)')",
      mayFindNothing: true,
      call: extract,
    },
  ],
];

type Compiled = { pattern: Re2.RE2JS; units: number } | { fault: string };

/** RE2 syntax: matching takes time in proportion to text and pattern. There are no references back and no look-around. */
const compiled = memoized((source: string): Compiled => {
  if (source.length > MAX_PATTERN) return { fault: `a pattern has at most ${MAX_PATTERN} characters` };
  if (patternSize(source) > MAX_PATTERN_PARTS) {
    return { fault: `its repetitions written out have more than ${MAX_PATTERN_PARTS} parts` };
  }
  try {
    const pattern = engine().RE2JS.compile(source);
    return { pattern, units: Math.max(LEAST_UNITS, pattern.programSize()) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
});

/** Why a text is no pattern; undefined for one. */
export function patternFault(source: string): string | undefined {
  const result = compiled(source);
  return 'fault' in result ? result.fault : undefined;
}

function usable(text: Value, source: Value, meter: WorkMeter): { text: string; pattern: Re2.RE2JS } | undefined {
  if (typeof text !== 'string' || typeof source !== 'string') return undefined;
  if (meter.isNew(source))
    meter.use(
      Math.min(source.length, MAX_PATTERN) +
        COMPILING * Math.min(patternSize(source.slice(0, MAX_PATTERN)), MAX_PATTERN_PARTS),
    );
  const result = compiled(source);
  if ('fault' in result) return undefined;
  meter.use(text.length * result.units);
  return { text, pattern: result.pattern };
}

/** Does the pattern occur anywhere in the text? */
function matches([text, source]: readonly Value[], { meter }: CallContext): Json {
  const found = usable(text, source, meter);
  return found !== undefined && found.pattern.matcher(found.text).find();
}

/** Of the first place: the group by its number or name; without one the first group, or all where there is none. */
function extract(args: readonly Value[], { meter }: CallContext): Json {
  const found = usable(args[0], args[1], meter);
  const matcher = found?.pattern.matcher(found.text);
  if (!found || !matcher?.find()) return null;
  const groups = found.pattern.groupCount();
  const group = args.length > 2 ? args[2] : Math.min(1, groups);
  if (typeof group === 'number')
    return Number.isInteger(group) && group >= 0 && group <= groups ? matcher.group(group) : null;
  return typeof group === 'string' && Object.hasOwn(found.pattern.namedGroups(), group) ? matcher.group(group) : null;
}
