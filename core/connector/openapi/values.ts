import { shorten } from '../../base/shorten';
import type { Json, JsonObject } from '../../base/json';
import { readNumber } from '../../base/number-rule';
import { placeFault } from '../place-fault';
import type { ParameterPlace, ValueType } from '../types';
import { valueFault } from '../types/rest-parameters';
import type { Documents } from './documents';
import type { ImportReport } from './import-report';
import { viewOf, type SchemaView } from './schema-view';
import type { DocumentNode } from './document-node';

const MAX_OPTIONS = 200;
const MAX_TEXT = 1000;

/** `default` and `enum` of a parameter, as far as a definition can hold them; the rest becomes a warning. An incomplete list of options would refuse values that the API takes, so it is left out as a whole. */
export function valuesOf(
  view: SchemaView,
  about: { name: string; in: ParameterPlace; node: DocumentNode; documents: Documents; report: ImportReport },
): JsonObject {
  const leave = (what: string, why: string): void => {
    const message = `${what} of \`${shorten(about.name)}\` is left out: ${why}.`;
    about.report.warn('value_left_out', message, about.node);
  };
  const { type, enum: given } = optionsOf(view, about.documents);
  const options = (given ?? []).map((item) => ofType(item, type));
  const wrong = options.find((item) => faultOf(item, { type, in: about.in }) !== undefined);
  const why =
    wrong !== undefined
      ? `${shown(wrong)} ${faultOf(wrong, { type, in: about.in }) ?? ''}`
      : options.length > MAX_OPTIONS
        ? `it has more than ${MAX_OPTIONS} values`
        : undefined;
  if (why !== undefined) leave('The list of possible values', why);
  const allowed = options.length > 0 && why === undefined ? options : undefined;
  const fallback = view.default === undefined ? undefined : ofType(view.default, view.type);
  const fault = fallback === undefined ? undefined : faultOf(fallback, { type: view.type, in: about.in }, allowed);
  if (fallback !== undefined && fault !== undefined && !isEmpty(fallback)) {
    leave(`The default ${shown(fallback)}`, `it ${fault}`);
  }
  return {
    ...(fallback !== undefined && fault === undefined ? { default: fallback } : {}),
    ...(allowed === undefined ? {} : { enum: allowed }),
  };
}

/** Options of a list are options of its elements; documents that write them beside the elements mean the same. */
function optionsOf(view: SchemaView, documents: Documents): Pick<SchemaView, 'type' | 'enum'> {
  if (view.type !== 'array') return view;
  const items: Pick<SchemaView, 'type' | 'enum'> = view.items ? viewOf(documents, view.items) : { type: 'any' };
  return { type: items.type, enum: items.enum ?? view.enum };
}

/** The schema says whether what is written is a number or a text. */
function ofType(value: Json, type: ValueType): Json {
  if ((type === 'number' || type === 'integer') && typeof value === 'string') {
    const number = readNumber(value);
    return typeof number === 'number' ? number : value;
  }
  const isText = type === 'string' || type === 'date' || type === 'datetime';
  return isText && typeof value === 'number' ? String(value) : value;
}

function faultOf(
  value: Json,
  target: { type: ValueType; in: ParameterPlace },
  allowed?: readonly Json[],
): string | undefined {
  const { type } = target;
  if (typeof value === 'string' && value.length > MAX_TEXT) return `is longer than ${MAX_TEXT} characters`;
  if (typeof value === 'object') return 'is no single value';
  const isNumber = type === 'number' || type === 'integer';
  if (isNumber && !isHeldNumber(value)) return 'has more digits than a number holds';
  const fault = valueFault(value, type) ?? placeFault(target, value)?.fault;
  if (fault !== undefined) return fault;
  return allowed === undefined || allowed.includes(value) ? undefined : 'is none of the possible values';
}

function isHeldNumber(value: Json): boolean {
  if (typeof value === 'string') return typeof readNumber(value) !== 'string';
  return !Number.isInteger(value) || Number.isSafeInteger(value);
}

function isEmpty(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function shown(value: Json): string {
  return `\`${shorten(typeof value === 'string' ? value : JSON.stringify(value))}\``;
}
