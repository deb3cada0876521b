import { shorten } from '../base/shorten';
import type { Problem } from '../errors/problem';
import { compile } from './compile';
import type { Draft } from './draft';
import type { EffectLookup } from './effects';
import { MapReader } from './map-reader';
import { parseAbout } from './parse-about';
import { checkMonitor } from './parse-monitor';
import { reportForbidden } from './names';
import { parseInputs } from './parse-inputs';
import { parseOutput } from './parse-output';
import { parseStepList } from './parse-step';
import type { ProblemList } from './problem-list';
import { readSource } from './source';
import type { SourceDocument } from './source-document';
import type { MapNode } from './source-node';
import { typeName } from './source-node';
import type { Plan } from './types';

const MODES = ['deterministic', 'llm_augmented', 'hybrid'] as const;
const CONTEXTS = ['interactive', 'background', 'scheduled', 'monitor'] as const;
const POLICIES = ['require', 'auto_approve'] as const;
const ID = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_ID = 100;
export const PLAYBOOK_FIELDS = [
  'id',
  'name',
  'description',
  'version',
  'category',
  'tags',
  'required_connectors',
  'execution_mode',
  'run_context',
  'monitor_config',
  'approval_policy',
  'triggers',
  'inputs',
  'steps',
  'output',
];

export interface ParsedPlaybook {
  /** Present when the text has no error. */
  plan?: Plan;
  document?: SourceDocument;
  problems: Problem[];
}

export interface DraftResult {
  /** The readable part, errors or not; absent when the text is no mapping. */
  draft?: Draft;
  problems: ProblemList;
}

/**
 * Reads a playbook from YAML or JSON. Never throws. Finds what is wrong with its form; whether its steps fit together
 * is the business of core/validate.
 *
 * @param lookup effects of connector endpoints, where they are known: it decides the default of `on_timeout`
 */
export function parsePlaybook(text: string, lookup: EffectLookup = {}): ParsedPlaybook {
  const { draft, problems } = readPlaybook(text);
  if (draft !== undefined) compile(draft, lookup);
  const base = { problems: problems.sorted() };
  if (draft === undefined) return base;
  return problems.hasErrors
    ? { ...base, document: draft.document }
    : { ...base, document: draft.document, plan: draft.plan };
}

/**
 * Reads a text, errors or not; later stages add problems. Defaults that depend on other steps are not decided yet: see
 * compile.
 */
export function readPlaybook(text: string): DraftResult {
  const { document, problems } = readSource(text);
  if (document === undefined) return { problems };
  const { root } = document;
  if (root.kind !== 'map') {
    const empty = root.kind === 'scalar' && root.value === null;
    const message = empty ? 'The text is empty.' : `A playbook is a mapping, and this is ${typeName(root)}.`;
    problems.add({
      code: 'not_a_playbook',
      message,
      suggestion: 'Begin with `id: my-playbook` and `steps:`.',
      at: root.at,
    });
    return { problems };
  }
  if (isConnector(root)) {
    problems.add({
      code: 'not_a_playbook',
      message: 'This is the text of a connector.',
      suggestion:
        'Save it with POST /connectors, or `af save <file> --connector`; check it with `af connectors validate`.',
      at: root.at,
    });
    return { problems };
  }
  return { draft: readDraft(document, root, problems), problems };
}

/** Detects a connector in place of a playbook: both are YAML, and a list of unknown fields would not tell. */
function isConnector({ entries }: MapNode): boolean {
  return entries.has('connection') && entries.has('endpoints') && !entries.has('steps');
}

function readDraft(document: SourceDocument, node: MapNode, problems: ProblemList): Draft {
  const places = new WeakMap<object, number>();
  const root = new MapReader({ document, problems, places }, node, { field: '' });
  root.rejectUnknown(PLAYBOOK_FIELDS, 'A playbook');
  checkMonitor(root);
  const plan: Plan = {
    schema: 1,
    playbook: readHead(root),
    execution_mode: root.oneOf('execution_mode', MODES) ?? 'hybrid',
    run_context: root.oneOf('run_context', CONTEXTS) ?? 'interactive',
    approval_policy: root.oneOf('approval_policy', POLICIES) ?? 'require',
    inputs: parseInputs(root),
    steps: [],
  };
  const draft: Draft = { plan, document, nodes: new Map(), places, stepCount: 0 };
  plan.steps = parseStepList(root, 'steps', draft);
  const output = parseOutput(root);
  if (output !== undefined) plan.output = output;
  return draft;
}

function readHead(root: MapReader): Plan['playbook'] {
  const id = root.string('id', { required: true }) ?? '';
  if (id !== '' && !reportForbidden(root, 'id', id) && (id.length > MAX_ID || !ID.test(id))) reportId(root, id);
  const version = root.text('version');
  const description = root.text('description');
  return {
    id,
    name: root.text('name') ?? id,
    ...(version === undefined ? {} : { version }),
    ...(description === undefined ? {} : { description }),
    ...parseAbout(root),
  };
}

function reportId(root: MapReader, id: string): void {
  const fixed = id
    .slice(0, MAX_ID)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const message = `\`id\` is "${shorten(id)}", but it must be lower-case words joined by -, at most ${MAX_ID} characters.`;
  root.report({ code: 'invalid_name', message, ...(ID.test(fixed) ? { suggestion: `Write ${fixed}.` } : {}) }, 'id');
}
