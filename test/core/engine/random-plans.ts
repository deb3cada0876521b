import fc from 'fast-check';
import type { Json } from '../../../core/base/json';
import type {
  ForEachStep,
  LlmStep,
  LoopStep,
  OnError,
  Plan,
  RouteStep,
  StepCommon,
  StepPlan,
} from '../../../core/playbook/types';

/** A playbook before its steps have names: what shrinks well. */
export interface Shape {
  kind:
    | 'quick'
    | 'slow'
    | 'pure'
    | 'ai'
    | 'gone'
    | 'end'
    | 'gate'
    | 'child'
    | 'research'
    | 'parallel'
    | 'each'
    | 'loop'
    | 'route'
    | 'ai_route';
  onError: OnError;
  retries: number;
  /** 0 none, 1 on the step before, 2 on a large field of it. */
  condition: number;
  /** Variant of a gate (ends by itself) or of a map (source of its items). */
  variant: number;
  width: number;
  inner: Shape[];
  dag: boolean;
}

const PLAIN = [
  'quick',
  'quick',
  'quick',
  'quick',
  'quick',
  'quick',
  'quick',
  'quick',
  'quick',
  'quick',
  'slow',
  'slow',
  'slow',
  'pure',
  'ai',
  'gone',
  'end',
  'gate',
  'child',
  'research',
] as const;
const NESTED = ['parallel', 'each', 'each', 'loop', 'route', 'ai_route'] as const;

function shape(depth: number): fc.Arbitrary<Shape> {
  const kinds: readonly Shape['kind'][] = depth > 0 ? [...PLAIN, ...NESTED, ...NESTED] : PLAIN;
  return fc.record({
    kind: fc.constantFrom(...kinds),
    onError: fc.constantFrom<OnError>('skip', 'skip', 'skip', 'stop', 'retry'),
    retries: fc.constantFrom(0, 0, 1, 2),
    condition: fc.constantFrom(0, 0, 0, 1, 2),
    variant: fc.nat(3),
    width: fc.nat(4),
    inner:
      depth > 0
        ? fc.array(fc.oneof({ depthSize: 'small' }, shape(depth - 1)), { minLength: 1, maxLength: 4 })
        : fc.constant([]),
    dag: fc.boolean(),
  });
}

export const shapes = fc.array(shape(2), { minLength: 1, maxLength: 5 });

/** Facts about a generated step, for the checks. */
interface Facts {
  /** The step of the same list that `p` and the condition refer to. */
  before?: string;
}

export interface MadePlan {
  plan: Plan;
  facts: Map<string, Facts>;
}

export function makePlan(list: Shape[], dag: boolean): MadePlan {
  const maker = new Maker();
  const steps = maker.list(list, { dag, item: undefined, parallel: false });
  return {
    facts: maker.facts,
    plan: {
      schema: 1,
      playbook: { id: 'random', name: 'Random' },
      execution_mode: 'hybrid',
      run_context: 'interactive',
      approval_policy: 'require',
      inputs: [],
      steps,
    },
  };
}

interface Place {
  dag: boolean;
  item: string | undefined;
  parallel: boolean;
}

class Maker {
  readonly facts = new Map<string, Facts>();
  private no = 0;

  list(shapes: Shape[], place: Place): StepPlan[] {
    const made: StepPlan[] = [];
    shapes.forEach((shape, at) => {
      const needs = place.dag
        ? made.filter((_, index) => (at + index + shape.width) % 2 === 0).map((step) => step.name)
        : [];
      const candidates = place.parallel ? [] : place.dag ? made.filter((step) => needs.includes(step.name)) : made;
      const before = candidates.findLast(
        (step) => step.kind === 'tool' && (step.action === 'quick' || step.action === 'slow'),
      )?.name;
      const step = this.step(shape, before, place);
      if (place.dag) step.depends_on = needs;
      made.push(step);
    });
    return made;
  }

  private step(shape: Shape, before: string | undefined, place: Place): StepPlan {
    this.no += 1;
    const name = `s${this.no}`;
    this.facts.set(name, before === undefined ? {} : { before });
    const common: StepCommon = {
      name,
      key: name,
      on_error: shape.onError,
      retry_count: shape.retries,
      timeout_seconds: 10,
      optional: true,
    };
    if (before !== undefined && shape.condition > 0)
      common.condition = `{${before}.${shape.condition === 1 ? 'v' : 'rows'}} is defined`;
    return this.ofKind(shape, common, { before, place });
  }

  private ofKind(
    shape: Shape,
    common: StepCommon,
    { before, place }: { before: string | undefined; place: Place },
  ): StepPlan {
    const inputs: { [name: string]: Json } = { p: before === undefined ? null : `{${before}.v}` };
    if (place.item !== undefined)
      Object.assign(inputs, { item: `{${place.item}.id}`, index: `{${place.item}_index}`, of: place.item.slice(1) });
    const inside = (item = place.item, parallel = false): StepPlan[] =>
      this.list(shape.inner, { dag: shape.dag && !parallel, item, parallel });
    switch (shape.kind) {
      case 'quick':
      case 'slow':
      case 'gone':
        return { ...common, kind: 'tool', action: shape.kind, inputs, params: {} };
      case 'end': {
        const status = ['complete', 'partial', 'failed'][shape.variant % 3] ?? 'complete';
        return { ...common, on_error: 'stop', kind: 'tool', action: 'end_run', inputs: { status }, params: {} };
      }
      case 'pure': {
        const data = before === undefined ? [{ n: 1 }] : `{${before}.rows}`;
        return {
          ...common,
          kind: 'tool',
          action: 'transform_data',
          inputs: { data },
          params: { operations: [{ type: 'limit', count: 2 }] },
        };
      }
      case 'ai':
        return this.llm(common, 'ai', inputs);
      case 'research':
        return this.llm(common, 'research_with_tools', inputs);
      case 'gate':
        return gate(common, shape, before);
      case 'child':
        return { ...common, kind: 'run_playbook', playbook: 'inner', inputs };
      case 'parallel':
        return { ...common, kind: 'parallel', steps: inside(undefined, true).map((step) => step) };
      case 'each':
        return this.each(common, shape, before);
      case 'loop': {
        const steps = inside();
        const last = steps.findLast(
          (step) => step.kind === 'tool' && (step.action === 'quick' || step.action === 'slow'),
        );
        const until = last
          ? `{${last.name}.n} > 4${shape.variant > 1 ? ` OR {${last.name}.rows[0].id} is defined` : ''}`
          : '1 > 2';
        return { ...common, kind: 'loop', until, max_iterations: 1 + (shape.width % 3), steps } satisfies LoopStep;
      }
      case 'route':
      case 'ai_route':
        return this.route(common, shape, inputs, before);
    }
  }

  private llm(common: StepCommon, action: string, inputs: { [name: string]: Json }): LlmStep {
    const params: { [name: string]: Json } = action === 'ai' ? {} : { max_rounds: 2, tools: ['quick', 'slow'] };
    return { ...common, kind: 'llm_task', action, inputs, params, output_schema: { type: 'object', fields: [] } };
  }

  private each(common: StepCommon, shape: Shape, before: string | undefined): ForEachStep {
    const as = `i${common.name}`;
    const items: Json =
      shape.variant === 0 && before !== undefined
        ? `{${before}.rows}`
        : shape.variant === 1
          ? '{items}'
          : Array.from({ length: shape.width }, (_, at) => ({ id: `literal#${at}` }));
    const steps = this.list(shape.inner, { dag: shape.dag, item: as, parallel: false });
    return { ...common, kind: 'for_each', items, as, max_parallel: 1 + (shape.width % 3), steps };
  }

  private route(
    common: StepCommon,
    shape: Shape,
    inputs: { [name: string]: Json },
    before: string | undefined,
  ): RouteStep {
    const half = Math.ceil(shape.inner.length / 2);
    const lists = [shape.inner.slice(0, half), shape.inner.slice(half)].filter((list) => list.length > 0);
    const routes = lists.map((list, at) => ({
      label: 'ab'[at] ?? 'a',
      steps: this.list(list, { dag: shape.dag, item: undefined, parallel: false }),
    }));
    const router = (): LlmStep => ({
      ...this.llm(common, 'ai', inputs),
      name: `${common.name}_router`,
      key: `${common.name}_router`,
    });
    const on = shape.kind === 'ai_route' ? router() : before === undefined ? 'a' : `{${before}.label}`;
    return { ...common, kind: 'route', on, routes, ...(shape.variant > 0 ? { default: 'a' } : {}) };
  }
}

function gate(common: StepCommon, shape: Shape, before: string | undefined): StepPlan {
  return {
    ...common,
    kind: 'approval',
    prompt: before === undefined ? 'Go?' : `Go with {${before}.v}?`,
    ...(before === undefined ? {} : { preview_from: shape.variant % 2 === 0 ? `${before}.rows` : before }),
    preview_limit: 2,
    ...(shape.width > 1 ? { timeout_minutes: 5 } : {}),
    on_reject: shape.variant === 3 ? 'stop' : 'skip',
    on_timeout: shape.variant === 2 ? 'stop' : 'skip',
  };
}
