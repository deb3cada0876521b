import { parse } from 'yaml';
import { usageError } from './errors';

export type DefinitionKind = 'playbook' | 'connector' | 'profile';

/** Fields of the top level that only one kind has; the first one found decides. */
const MARKS: readonly (readonly [DefinitionKind, readonly string[]])[] = [
  ['playbook', ['steps', 'execution_mode']],
  ['connector', ['endpoints', 'connection']],
  ['profile', ['skills', 'data_sources', 'system_prompt_additions', 'knowledge_config']],
];

/** Kind of definition in a text, by its shape. Throws for an unknown one. */
export function kindOf(source: string, file: string): DefinitionKind {
  const fields = topFields(source);
  const found = MARKS.find(([, names]) => names.some((name) => fields.includes(name)));
  if (found !== undefined) return found[0];
  const has = fields.length === 0 ? 'no fields' : `the fields ${fields.slice(0, 10).join(', ')}`;
  throw usageError(
    `${file} is neither a playbook (it has \`steps\`) nor a connector (it has \`endpoints\`): it has ${has} at its top level.`,
  );
}

/** Finds the top fields, in a text that is not YAML by its lines: they show which check has to report the fault. */
function topFields(source: string): string[] {
  try {
    const value: unknown = parse(source);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  } catch {
    return source.split('\n').flatMap((line) => /^["']?([A-Za-z_]+)["']?\s*:/.exec(line)?.[1] ?? []);
  }
}
