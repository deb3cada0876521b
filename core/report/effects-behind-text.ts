import type { DestinationType } from '../actions/destinations';
import { isJsonObject, type Json } from '../base/json';
import type { EffectsBehind } from '../playbook/types';

/** Words for a destination, without its name and with it. */
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
type Effects = Pick<EffectsBehind, 'more'> & {
  steps: readonly { step: string; in_each?: boolean }[];
  destinations?: readonly string[];
  targets?: readonly Target[];
  caller?: boolean;
};
type AfterGate = Effects & { on_reject?: Effects; on_timeout?: Effects };

/**
 * Effects that an approval permits beside the call that is shown. `held`: the step of that call, absent where none is
 * shown. Undefined = none. For older requests the text says that they are not known.
 */
export function effectsBehindText(behind: AfterGate | undefined, held: string | undefined): string | undefined {
  if (behind === undefined) return held === undefined ? NOT_KNOWN : NOT_MORE;
  const names = namesOf(behind, held);
  if (held !== undefined) return names === '' ? undefined : `Behind it also: ${names}.`;
  return names === '' ? NOTHING : `An approval permits these effects: ${names}.`;
}

function namesOf(effects: Effects, held?: string): string {
  const { steps, more = 0, destinations = [], targets = destinations.map((type) => ({ type })), caller } = effects;
  return [
    ...steps.filter(({ step }) => step !== held).map(({ step, in_each: each }) => (each ? `${step} (in each)` : step)),
    ...(more === 0 ? [] : [`${more} more ${more === 1 ? 'step' : 'steps'}`]),
    ...counted(targets.map(targetText)),
    ...(caller === true ? ['what the playbook that started this one does next'] : []),
  ].join(', ');
}

/** One line for each step with other inputs than those of the playbook. */
export function editedTexts(edited: readonly { step: string; inputs?: unknown }[] = []): string[] {
  return edited.map(({ step, inputs = {} }) => `the inputs of ${step} are edited: ${JSON.stringify(inputs)}`);
}

/** Parts of a request that describe what happens without an approval. */
interface WithoutYes {
  on_reject: string;
  on_timeout: string;
  due_at?: string;
  effects_behind?: AfterGate;
  /** Shown call with its edits; edits apply only after an approval. */
  action?: unknown;
  edits?: unknown;
}

/** Lists what happens after a rejection and after a time-out, with every effect that is still carried out. */
export function withoutYesTexts(request: WithoutYes): string[] {
  return outcomesWithoutYes(request).map(({ when, end, names, after }) =>
    names === '' ? `${when}: ${end}` : `${when}: ${end}; also after ${after}: ${names}`,
  );
}

/** Effects without an approval; empty if there are none. */
export function effectsWithoutYes(request: WithoutYes): string[] {
  return outcomesWithoutYes(request).flatMap(({ after, names }) =>
    names === '' ? [] : [`also after ${after}: ${names}`],
  );
}

interface OtherOutcome {
  when: string;
  after: string;
  end: string;
  names: string;
}

function outcomesWithoutYes(request: WithoutYes): OtherOutcome[] {
  const { on_reject, on_timeout, due_at, effects_behind: behind, action, edits } = request;
  const edited = edits === undefined || edits === null ? undefined : heldStep(action as Json | undefined);
  const no = { when: 'rejected', after: 'a rejection', ...endOf(on_reject, behind?.on_reject, edited) };
  if (due_at === undefined) return [no];
  return [no, { when: 'not decided in time', after: 'a time-out', ...endOf(on_timeout, behind?.on_timeout, edited) }];
}

/** Effects with the inputs from before the edit, as they apply without an approval. */
function unedited(effects: Effects, edited: string | undefined): Effects {
  const steps = effects.steps.map((each) =>
    each.step === edited ? { ...each, step: `${each.step} with its inputs from before the edit` } : each,
  );
  return { ...effects, steps };
}

/** A run that goes on has a set of effects, which may be empty; older requests have none. */
function endOf(
  what: string,
  effects: Effects | undefined,
  edited: string | undefined,
): Pick<OtherOutcome, 'end' | 'names'> {
  const names = effects === undefined ? '' : namesOf(unedited(effects, edited));
  if (what !== 'skip') return { end: 'the run stops', names };
  if (effects === undefined) return { end: 'the run goes on; what it does then is not known here', names };
  return {
    end: names === '' ? 'the run goes on, and nothing with an effect outside follows' : 'the run goes on',
    names,
  };
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
