import { compile } from '../../../core/playbook/compile';
import { readPlaybook } from '../../../core/playbook/parse-playbook';
import type { Plan } from '../../../core/playbook/types';

/** The plan of a text, whatever the installation has. */
export function compileDraft(text: string): Plan {
  const { draft, problems } = readPlaybook(text);
  if (draft === undefined) throw new Error(JSON.stringify(problems.sorted()));
  compile(draft, {});
  return draft.plan;
}
