import { hasErrors, type Problem } from '../errors/problem';
import { compile } from '../playbook/compile';
import { readPlaybook, type DraftResult } from '../playbook/parse-playbook';
import type { Plan } from '../playbook/types';
import type { Catalogue } from './catalogue';
import { RuleContext } from './context';
import { endpointEffects } from './endpoint-effects';
import { RULES } from './rules/all';
import { stepResults, type StepResult } from './step-results';

export interface ValidationResult {
  valid: boolean;
  /** Present when valid: what is stored and run. */
  plan?: Plan;
  /** All problems in the order of the text, at most 100 and a note. */
  problems: Problem[];
  /** The same, step by step. */
  steps: StepResult[];
}

/** Checks a playbook text against the language, the actions and what the owner has. Never throws. */
export function validatePlaybook(text: string, catalogue: Catalogue): ValidationResult {
  return validateDraft(readPlaybook(text), catalogue);
}

/** The same for a text that was parsed already, to load the catalogue for it. Completes the draft, so it may be called once for each. */
export function validateDraft({ draft, problems }: DraftResult, catalogue: Catalogue): ValidationResult {
  if (draft === undefined) return { valid: false, problems: problems.sorted(), steps: [] };
  compile(draft, endpointEffects(catalogue));
  const context = new RuleContext(draft, catalogue, problems);
  for (const rule of RULES) rule.check(context);
  const found = problems.sorted();
  const base = { problems: found, steps: stepResults(context.steps, found) };
  return hasErrors(found) ? { valid: false, ...base } : { valid: true, plan: draft.plan, ...base };
}
