import { modelWarning, stepsWithoutModel } from '../model-warning';
import type { Rule } from '../rule';

/** Warns, once, where steps call a model and none can be called: otherwise that would show only after all steps before them. */
export const modelNotConfigured: Rule = {
  name: 'model-not-configured',
  check(context) {
    const { catalogue, plan } = context;
    const called = (slug: string) => catalogue.playbook(slug);
    const [first] = stepsWithoutModel(plan, catalogue.models, called);
    const message = modelWarning(plan, catalogue.models, called);
    if (first === undefined || message === undefined) return;
    const field = first.step.kind === 'run_playbook' ? 'playbook' : 'action';
    context.report(first.step, [field], { severity: 'warning', code: 'model_not_configured', message });
  },
};
