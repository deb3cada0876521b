import { modelWarning, stepsWithoutModel } from '../model-warning';
import type { Rule } from '../rule';

/** Warns, once, where steps call a model and none can be called: else that shows after all that comes before them. */
export const modelConfigured: Rule = {
  name: 'model-configured',
  check(context) {
    const { models } = context.catalogue;
    const [first] = stepsWithoutModel(context.plan, models);
    const message = modelWarning(context.plan, models);
    if (first === undefined || message === undefined) return;
    context.report(first, ['action'], { severity: 'warning', code: 'model_not_configured', message });
  },
};
