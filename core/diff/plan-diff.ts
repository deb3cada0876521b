import { canonicalJson } from '../base/canonical-json';
import type { Json, JsonObject } from '../base/json';
import type { Plan, StepPlan } from '../playbook/types';
import { innerLists } from '../playbook/walk';

interface FieldChange {
  field: string;
  /** Absent: the field was not there. */
  from?: Json;
  to?: Json;
}
interface StepPlace {
  step: string;
  kind: StepPlan['kind'];
  /** Step that it lies inside of. */
  parent?: string;
}
interface StepChange extends StepPlace {
  fields: FieldChange[];
}
export interface PlanDiff {
  added: StepPlace[];
  removed: StepPlace[];
  changed: StepChange[];
  /** Steps that lie inside of another one now, or in another order. */
  moved: StepPlace[];
  /** Changes of the playbook itself: name, inputs, output, approval policy... */
  settings: FieldChange[];
}

interface Placed extends StepPlace {
  own: JsonObject;
  at: number;
  /** Positions of the steps of its list, its own included. */
  siblings: ReadonlyMap<string, number>;
}

/** Differences between two versions of a playbook, step by step. A step is known by its name. */
export function diffPlans(from: Plan, to: Plan): PlanDiff {
  const old = placesOf(from);
  const now = placesOf(to);
  const both = [...now.values()].flatMap((step) => {
    const earlier = old.get(step.step);
    return earlier === undefined ? [] : [{ earlier, step }];
  });
  return {
    added: [...now.values()].filter(({ step }) => !old.has(step)).map(placeOf),
    removed: [...old.values()].filter(({ step }) => !now.has(step)).map(placeOf),
    changed: both
      .map(({ earlier, step }) => ({ ...placeOf(step), fields: changes(earlier.own, step.own) }))
      .filter(({ fields }) => fields.length > 0),
    moved: both.filter(({ earlier, step }) => isMoved(earlier, step)).map(({ step }) => placeOf(step)),
    settings: changes(settingsOf(from), settingsOf(to)),
  };
}

function placesOf(plan: Plan): Map<string, Placed> {
  const places = new Map<string, Placed>();
  const visit = (list: readonly StepPlan[], parent: string | undefined): void => {
    const siblings = new Map(list.map(({ name }, at) => [name, at]));
    list.forEach((step, at) => {
      const where = parent === undefined ? {} : { parent };
      places.set(step.name, { step: step.name, kind: step.kind, ...where, own: ownOf(step), at, siblings });
      for (const inner of innerLists(step)) visit(inner, step.name);
    });
  };
  visit(plan.steps, undefined);
  return places;
}

/** The step without the steps inside: these are compared by themselves. */
function ownOf(step: StepPlan): JsonObject {
  const { name: _name, ...fields } = step;
  const routes = step.kind === 'route' ? { routes: step.routes.map(({ label }) => label) } : {};
  const { steps: _steps, ...own } = { ...fields, ...routes } as unknown as JsonObject;
  return own;
}

function settingsOf({ steps: _steps, schema: _schema, playbook, ...rest }: Plan): JsonObject {
  return { ...playbook, ...rest } as unknown as JsonObject;
}

function placeOf({ step, kind, parent }: Placed): StepPlace {
  return parent === undefined ? { step, kind } : { step, kind, parent };
}

/** True if a step changed places with one that stood before it; both are shown as moved. */
function isMoved(earlier: Placed, step: Placed): boolean {
  if (earlier.parent !== step.parent) return true;
  return [...step.siblings].some(([name, at]) => {
    const before = earlier.siblings.get(name);
    return before !== undefined && before < earlier.at !== at < step.at;
  });
}

function changes(from: JsonObject, to: JsonObject): FieldChange[] {
  const fields = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return fields.flatMap((field) => {
    const before = from[field];
    const after = to[field];
    if (before !== undefined && after !== undefined && canonicalJson(before) === canonicalJson(after)) return [];
    if (before === undefined && after === undefined) return [];
    return [
      { field, ...(before === undefined ? {} : { from: before }), ...(after === undefined ? {} : { to: after }) },
    ];
  });
}
