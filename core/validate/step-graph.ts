import type { FieldSpec } from '../actions/types';
import { dependenciesOf, isDag } from '../graph/dependencies';
import { innerLists } from '../playbook/walk';
import type { Plan, StepPlan } from '../playbook/types';
import { EMPTY_CATALOGUE, type Catalogue } from './catalogue';
import { inputSpecsOf } from './input-specs';
import { parseSite, type ParsedSite } from '../playbook/parse-expression-site';
import { PlanFacts } from './plan-facts';
import { stepSites } from '../playbook/expression-sites';

interface GraphField {
  name: string;
  type: string;
  required?: boolean;
}
interface GraphNode {
  step: string;
  kind: StepPlan['kind'];
  action?: string;
  key: string;
  /** Step that this one lies inside of. */
  parent?: string;
  inputs: GraphField[];
  /** Fields of the result, as far as they are known before a run. */
  outputs: GraphField[];
}
interface GraphEdge {
  from: string;
  to: string;
  /** reference: `to` reads the result of `from`; depends_on: written so; sequence: the next of a list. */
  via: 'reference' | 'sequence' | 'depends_on';
  /** The reference, without braces. */
  reference?: string;
  /** Type of what the reference reads. */
  type?: string;
}
export interface StepGraph {
  nodes: GraphNode[];
  edges: GraphEdge[];
}

/** Steps and what flows between them, for drawing. Nodes and edges come in the order of the text. */
export function buildStepGraph(plan: Plan, catalogue: Catalogue = EMPTY_CATALOGUE): StepGraph {
  const facts = new PlanFacts(plan, catalogue);
  return {
    nodes: facts.steps.map((step) => nodeOf(step, facts)),
    edges: [...orderEdges(plan.steps), ...referenceEdges(facts)],
  };
}

function nodeOf(step: StepPlan, facts: PlanFacts): GraphNode {
  const owner = facts.index.positions.get(step)?.owner;
  const action =
    'action' in step ? step.action : step.kind === 'parallel' || step.kind === 'run_playbook' ? step.kind : undefined;
  return {
    step: step.name,
    kind: step.kind,
    ...(action === undefined ? {} : { action }),
    key: step.key,
    ...(owner === undefined ? {} : { parent: owner.name }),
    inputs: inputsOf(step, facts),
    outputs: (facts.resultOf(step).fields ?? []).map(graphField),
  };
}

/** The declared inputs, then what else is wired. */
function inputsOf(step: StepPlan, facts: PlanFacts): GraphField[] {
  const declared = (inputSpecsOf(step, facts.catalogue)?.specs ?? []).map(graphField);
  const wired = 'inputs' in step ? Object.keys(step.inputs) : [];
  const names = new Set(declared.map((field) => field.name));
  return [...declared, ...wired.filter((name) => !names.has(name)).map((name) => ({ name, type: 'any' }))];
}

function graphField(spec: FieldSpec): GraphField {
  return { name: spec.name, type: spec.type, ...(spec.required === true ? { required: true } : {}) };
}

function orderEdges(list: readonly StepPlan[], parallel = false): GraphEdge[] {
  const via = isDag(list) ? 'depends_on' : 'sequence';
  const own = parallel
    ? []
    : [...dependenciesOf(list)].flatMap(([to, needs]) => needs.map<GraphEdge>((from) => ({ from, to, via })));
  return [
    ...own,
    ...list.flatMap((step) => innerLists(step).flatMap((inner) => orderEdges(inner, step.kind === 'parallel'))),
  ];
}

function referenceEdges(facts: PlanFacts): GraphEdge[] {
  return facts.steps.flatMap((step) => {
    const seen = new Set<string>();
    return stepSites(step)
      .map(parseSite)
      .flatMap((site) =>
        edgesOf(site, step, facts).filter((edge) => !seen.has(edge.reference ?? '') && seen.add(edge.reference ?? '')),
      );
  });
}

function edgesOf(site: ParsedSite, step: StepPlan, facts: PlanFacts): GraphEdge[] {
  return site.references.flatMap((ref) => {
    const from = facts.index.withKey(ref.root);
    const found = from === undefined ? undefined : facts.resolveFrom(ref, site.from);
    if (from === undefined || found?.ok !== true || found.step !== from) return [];
    return [{ from: from.name, to: step.name, via: 'reference' as const, reference: ref.text, type: found.shape.type }];
  });
}
