import type { DestinationType } from '../actions/destinations';
import { isJsonObject, type Json } from '../base/json';
import type { EffectsBehind } from '../playbook/types';

/** Without a name, and with it. */
const DESTINATIONS: Partial<Record<string, readonly [string, string]>> = {
  document: ['a document', 'the document'],
  folder: ['a document in a folder', 'a document in the folder'],
  file_export: ['a file', 'the file'],
  data_workspace_table: ['a workspace table', 'the workspace table'],
  append_to_existing: ['an addition to a document', 'an addition to the document'],
  knowledge_graph: ['the knowledge graph', 'the knowledge graph'],
  data_workspace_db: ['a workspace database', 'the workspace database'],
} satisfies Partial<Record<DestinationType, readonly [string, string]>>;

interface Target {
  type: string;
  name?: string;
  format?: string;
}

/** Effects as a request has them: the API names destinations as texts. */
type Behind = Pick<EffectsBehind, 'more'> & {
  steps: readonly { step: string; in_each?: boolean }[];
  destinations?: readonly string[];
  targets?: readonly Target[];
  caller?: boolean;
};

/**
 * Effects that a yes permits beside the call that is shown. `held`: the step of that call, absent where none is shown.
 * Undefined = none. For older requests the text says that they are not known.
 */
export function effectsBehindText(behind: Behind | undefined, held: string | undefined): string | undefined {
  if (behind === undefined) return held === undefined ? NOT_KNOWN : NOT_MORE;
  const {
    steps,
    more = 0,
    destinations = [],
    targets = destinations.map((type) => ({ type })),
    caller = false,
  } = behind;
  const names = [
    ...steps.filter(({ step }) => step !== held).map(({ step, in_each: each }) => (each ? `${step} (in each)` : step)),
    ...(more === 0 ? [] : [`${more} more ${more === 1 ? 'step' : 'steps'}`]),
    ...counted(targets.map(targetText)),
    ...(caller ? ['what the playbook that started this one does next'] : []),
  ].join(', ');
  if (held !== undefined) return names === '' ? undefined : `Behind it also: ${names}.`;
  return names === '' ? NOTHING : `A yes lets these go: ${names}.`;
}

function targetText({ type, name, format }: Target): string {
  const [some, the] = DESTINATIONS[type] ?? [type, type];
  const text = name === undefined ? some : `${the} "${name}"`;
  return format === undefined || format === 'structured' ? text : `${text} (${format})`;
}

/** Each once, with how often it comes. */
function counted(texts: readonly string[]): string[] {
  return [...new Set(texts)].map((text) => {
    const times = texts.filter((each) => each === text).length;
    return times === 1 ? text : `${times} times ${text}`;
  });
}

/** The step whose call a request shows. */
export function heldStep(action: Json | undefined): string | undefined {
  if (action === undefined || action === null) return undefined;
  const step = isJsonObject(action) ? action['step'] : undefined;
  return typeof step === 'string' ? step : '';
}

const NOT_KNOWN = 'What lies behind it is not known here.';
const NOT_MORE = 'What else lies behind it is not known here.';
const NOTHING = 'Nothing with an effect outside lies behind it: the run goes on.';
