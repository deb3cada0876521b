import type { DestinationType } from '../actions/destinations';
import { isJsonObject, type Json } from '../base/json';
import type { EffectsBehind } from '../playbook/types';

const DESTINATIONS: Partial<Record<string, string>> = {
  document: 'a document',
  folder: 'a document in a folder',
  file_export: 'a file',
  data_workspace_table: 'a workspace table',
  append_to_existing: 'rows of a workspace table',
  knowledge_graph: 'the knowledge graph',
  data_workspace_db: 'a workspace database',
} satisfies Partial<Record<DestinationType, string>>;

/** Effects as a request has them: the API names destinations as texts. */
type Behind = Pick<EffectsBehind, 'more'> & {
  steps: readonly { step: string; in_each?: boolean }[];
  destinations?: readonly string[];
  caller?: boolean;
};

/**
 * Effects that a yes permits beside the call that is shown. `held`: the step of that call, absent where none is shown.
 * Undefined = none. For older requests the text says that they are not known.
 */
export function effectsBehindText(behind: Behind | undefined, held: string | undefined): string | undefined {
  if (behind === undefined) return held === undefined ? NOT_KNOWN : NOT_MORE;
  const { steps, more = 0, destinations = [], caller = false } = behind;
  const names = [
    ...steps.filter(({ step }) => step !== held).map(({ step, in_each: each }) => (each ? `${step} (in each)` : step)),
    ...(more === 0 ? [] : [`${more} more ${more === 1 ? 'step' : 'steps'}`]),
    ...destinations.map((type) => DESTINATIONS[type] ?? type),
    ...(caller ? ['what the playbook that started this one does next'] : []),
  ].join(', ');
  if (held !== undefined) return names === '' ? undefined : `Behind it also: ${names}.`;
  return names === '' ? NOTHING : `A yes lets these go: ${names}.`;
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
