import type { StepError } from '../errors/app-error';
import { collectReferences } from '../expr/template';
import type { LlmStep, RouteStep, StepPlan } from '../playbook/types';
import { innerLists } from '../playbook/walk';
import type { UnitOutcome } from './inbox';
import { launchFrame, openFrame } from './frames';
import type { Gap } from './gaps';
import { renderText } from './render-text';
import type { LoadFirst } from './load';
import { frameOf, stepOf, type Machine } from './machine';
import { fieldOf, inlineLookup, refTable, withoutValue } from './scope';
import { inlineValue, settleFailed, settleOk } from './settle';
import type { StepNode } from './state';
import { buildUnit, sendUnits, subNode } from './units';

/** Replay-sensitive. One of several lists, chosen by a label: a rendered text or a model's answer. */

export function beginRoute(m: Machine, node: StepNode, step: RouteStep, loadFirst: LoadFirst): string | undefined {
  if (typeof step.on !== 'string') {
    return askRouter(m, node, step.on);
  }
  const scope = frameOf(m, node.frame).scope;
  if (loadFirst(m, node, refTable(m, scope, collectReferences(step.on)))) return undefined;
  const label = renderText(step.on, inlineLookup(m, scope, node.loaded));
  const missing = label.trim() === '' ? withoutValue(m, scope, collectReferences(step.on)) : '';
  return takeRoute(m, node, label, `\`on\` has no value${missing}`);
}

export function askRouter(m: Machine, node: StepNode, router: LlmStep): undefined {
  node.phase = 'running';
  sendUnits(m, [buildUnit(m, subNode(m, node, 'router'), router)]);
}

/** The model's answer carries the label in its field `label`. */
export function routeAnswered(m: Machine, node: StepNode, outcome: UnitOutcome): string | undefined {
  if (outcome.status !== 'ok') return settleFailed(m, node, outcome.error ?? NO_ANSWER);
  const label = fieldOf(outcome.output?.value ?? null, 'label');
  return takeRoute(m, node, typeof label === 'string' ? label : '', 'the model gave no label');
}

const NO_ANSWER: StepError = {
  code: 'llm_unavailable',
  message: 'The model gave no answer.',
  category: 'upstream',
  retryable: true,
};

/** `unlabelled`: what to say where the label is empty. */
function takeRoute(m: Machine, node: StepNode, label: string, unlabelled: string): string | undefined {
  const step = stepOf(m, node.name) as RouteStep;
  const chosen =
    step.routes.find((route) => route.label === label) ?? step.routes.find((route) => route.label === step.default);
  if (!chosen) {
    const known = step.routes.map((route) => route.label).join(', ');
    const why = label.trim() === '' ? ` (${unlabelled})` : '';
    const message = `No route for the label "${label.slice(0, 100)}"${why}; the routes are ${known}, and there is no default.`;
    return settleFailed(m, node, { code: 'no_route', message, category: 'validation', retryable: false });
  }
  node.phase = 'container';
  const isGuess = label.trim() === '' && chosen.label !== label;
  node.route = isGuess ? { label: chosen.label, unlabelled } : { label: chosen.label };
  delete node.loaded;
  for (const route of step.routes) if (route !== chosen) forget(m, frameOf(m, node.frame).scope, route.steps);
  if (chosen.steps.length === 0) return routeDone(m, node);
  const scope = frameOf(m, node.frame).scope;
  openFrame(m, { id: node.path, owner: node.path, prefix: `${node.path}/`, scope, steps: chosen.steps });
  launchFrame(m, node.path);
  return undefined;
}

/** Removes results of another branch that ran in an earlier iteration of a loop. */
function forget(m: Machine, scope: string, steps: StepPlan[]): void {
  const entries = m.state.scopes[scope]?.entries ?? {};
  for (const step of steps) {
    delete entries[step.key];
    for (const list of innerLists(step)) forget(m, scope, list);
  }
}

export function routeDone(m: Machine, node: StepNode): string {
  const { label = '', unlabelled } = node.route ?? {};
  return settleOk(m, node, inlineValue({ label }), {
    gaps: unlabelled === undefined ? [] : [noLabel(label, unlabelled)],
  });
}

/** The default is for labels without a route. That no label was given is another case, and reported. */
function noLabel(label: string, why: string): Gap {
  return { code: 'no_label', message: `${why}: the default route \`${label}\` was taken`, certain: false };
}
