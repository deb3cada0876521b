import { isBuiltin } from '../../expr/builtins';
import { RESERVED_ROOTS } from '../../expr/reserved-roots';
import type { Path } from '../../playbook/source-node';
import type { StepPlan } from '../../playbook/types';
import type { RuleContext } from '../context';
import type { Rule } from '../rule';

interface Claim {
  name: string;
  /** Kind of the named thing. */
  what: string;
  step?: StepPlan;
  path: Path;
}

/** Inputs, steps, output keys and loop variables share one namespace; built-in names are taken. */
export const duplicateName: Rule = {
  name: 'duplicate-name',
  check(context) {
    const owners = new Map<string, Claim>();
    for (const claim of claims(context)) {
      if (reportReserved(context, claim)) continue;
      const first = owners.get(claim.name);
      if (first === undefined) owners.set(claim.name, claim);
      // An output_key may repeat the name of its own step.
      else if (claim.step === undefined || first.step !== claim.step || claim.what !== 'an output_key')
        reportTwice(context, claim, first);
    }
  },
};

function claims(context: RuleContext): Claim[] {
  const inputs = context.plan.inputs.map<Claim>((input) => ({
    name: input.name,
    what: 'an input',
    path: ['inputs', context.indexOf(input), 'name'],
  }));
  return [...inputs, ...context.steps.flatMap((step) => claimsOf(context, step))];
}

function claimsOf(context: RuleContext, step: StepPlan): Claim[] {
  const found: Claim[] = [{ name: step.name, what: 'a step', step, path: ['name'] }];
  if (context.has(step, ['output_key']))
    found.push({ name: step.key, what: 'an output_key', step, path: ['output_key'] });
  if (step.kind === 'for_each') {
    const path = ['for_each', 'as'];
    found.push(
      { name: step.as, what: 'a loop variable', step, path },
      { name: `${step.as}_index`, what: 'a loop variable', step, path },
    );
  }
  return found;
}

function reportReserved(context: RuleContext, { name, what, step, path }: Claim): boolean {
  if (!RESERVED_ROOTS.has(name) && !isBuiltin(name)) return false;
  const message = `\`${name}\` is a built-in name and cannot be ${what}.`;
  context.report(step, path, { code: 'reserved_name', message, suggestion: 'Choose another name.' });
  return true;
}

function reportTwice(context: RuleContext, claim: Claim, first: Claim): void {
  const holder =
    first.step === undefined || first.what === 'a step' ? first.what : `${first.what} of \`${first.step.name}\``;
  context.report(claim.step, claim.path, {
    code: 'duplicate_name',
    message: `\`${claim.name}\` is already ${holder}; inputs, steps, output keys and loop variables share one set of names.`,
    suggestion: 'Choose another name.',
  });
}
