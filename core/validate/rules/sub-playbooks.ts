import { shorten } from '../../base/shorten';
import type { SubPlaybookStep } from '../../playbook/types';
import type { RuleContext } from '../context';
import type { Rule } from '../rule';

/** Depth to which runs may start runs. */
const MAX_CALL_DEPTH = 5;

/** A called playbook exists, and no playbook runs itself, directly or through others. */
export const subPlaybooks: Rule = {
  name: 'sub-playbooks',
  check(context) {
    // One that is not written is reported where the text is read.
    for (const step of context.steps)
      if (step.kind === 'run_playbook' && step.playbook !== '') checkCall(context, step);
  },
};

function checkCall(context: RuleContext, step: SubPlaybookStep): void {
  const self = context.plan.playbook.id;
  if (step.playbook.includes('{')) {
    const message = '`playbook` must be written out: it decides how the step is checked, so it cannot come from a run.';
    context.report(step, ['playbook'], {
      code: 'must_be_literal',
      message,
      suggestion: 'Use a route with one run_playbook step a label.',
    });
    return;
  }
  if (step.playbook !== self && context.catalogue.playbook(step.playbook) === undefined) {
    const near = context.suggest(step.playbook, context.catalogue.playbookSlugs());
    const message = `There is no playbook \`${shorten(step.playbook)}\`.`;
    const suggestion = near === undefined ? 'Save that playbook first.' : `Did you mean \`${near}\`?`;
    context.report(step, ['playbook'], { code: 'unknown_playbook', message, suggestion });
    return;
  }
  const { cycle, depth } = follow(context, step.playbook);
  if (cycle !== undefined) {
    const message = `This playbook would run itself: ${[self, ...cycle].join(' → ')}.`;
    context.report(step, ['playbook'], {
      code: 'playbook_cycle',
      message,
      suggestion: 'Use a loop for repeated work.',
    });
  } else if (depth > MAX_CALL_DEPTH) {
    const message = `The runs that this step starts lie ${depth} deep; at most ${MAX_CALL_DEPTH} are allowed.`;
    context.report(step, ['playbook'], {
      code: 'too_deep',
      message,
      suggestion: 'Run the innermost playbooks from here.',
    });
  }
}

interface Followed {
  cycle?: string[];
  depth: number;
}

/** Breadth first over the calls: each playbook once, so a dense web of calls stays cheap. */
function follow(context: RuleContext, start: string): Followed {
  const self = context.plan.playbook.id;
  const seen = new Set<string>([start]);
  let current = [[start]];
  for (let depth = 1; ; depth += 1) {
    const closing = current.find((path) => path[path.length - 1] === self);
    if (closing) return { cycle: closing, depth };
    const next = current.flatMap((path) => callsOf(context, path, seen));
    if (next.length === 0) return { depth };
    current = next;
  }
}

function callsOf(context: RuleContext, path: string[], seen: Set<string>): string[][] {
  const calls = context.catalogue.playbook(path[path.length - 1] ?? '')?.calls ?? [];
  return calls.flatMap((slug) => {
    if (seen.has(slug)) return [];
    seen.add(slug);
    return [[...path, slug]];
  });
}
