import { listContracts } from '../../../core/actions/registry';
import { FILTER_OPERATORS, METRIC_NAMES, TRANSFORM_OPERATIONS } from '../../../core/actions/transform';
import type { ActionContract, FieldSpec } from '../../../core/actions/types';

const INTRO = `# Actions

<!-- Generated from core/actions; AF_WRITE_DOCS=1 npx jest --selectProjects small --testPathPatterns core/actions writes it anew. -->

An action is what a \`tool\` or \`llm_task\` step does. Its contract says which \`inputs\` it takes (data), which \`params\`
(settings), and which fields its result has. The same contracts serve validation, the API (\`GET /actions\`) and the runner.

- **executable**: *no* means that the contract is settled but nothing runs it yet: validation refuses such a step unless it says \`optional: true\`; then it is skipped with \`not_available\`.
- **effect**: \`none\` reads only; \`transactional\` changes our own database together with the step's result; \`keyed\`, \`idempotent\` and \`unsafe\` say how a change elsewhere may be repeated.
- **short**: seconds at most, so that steps in a row can travel together. **pure**: a function of its inputs.
- A type such as \`record[]\` is a list. \`*\` marks what must be there.
`;

/** The Markdown of docs/actions.md. */
export function actionsPage(): string {
  const contracts = listContracts();
  const groups = [...new Set(contracts.map((contract) => contract.group))];
  const parts = [INTRO, overview(contracts)];
  for (const group of groups) {
    parts.push(`## ${title(group)}\n`);
    for (const contract of contracts.filter((other) => other.group === group)) parts.push(section(contract));
  }
  return `${parts.join('\n').trimEnd()}\n`;
}

function overview(contracts: readonly ActionContract[]): string {
  const rows = contracts.map(
    ({ name, step_type, available, effect, short, pure }) =>
      `| [\`${name}\`](#${name}) | ${step_type} | ${available ? 'yes' : 'no'} | ${effect} | ${short ? 'yes' : ''} | ${pure ? 'yes' : ''} |`,
  );
  return `| action | step type | executable | effect | short | pure |\n|---|---|---|---|---|---|\n${rows.join('\n')}\n`;
}

function title(group: string): string {
  const text = group.replaceAll('_', ' ');
  return text === 'llm' ? 'Models' : `${text[0]?.toUpperCase()}${text.slice(1)}`;
}

function section(contract: ActionContract): string {
  const notes = [
    contract.open_inputs === true ? 'Inputs of any other name are accepted.' : '',
    contract.requires === undefined ? '' : `Needs ${contract.requires}.`,
  ].filter((note) => note !== '');
  const parts = [
    `### ${contract.name}\n`,
    `${contract.description}${notes.length === 0 ? '' : ` ${notes.join(' ')}`}\n`,
    table('inputs', contract.inputs),
    table('params', contract.params),
    table('outputs', contract.outputs),
  ];
  if (contract.name === 'transform_data') parts.push(operations());
  return parts.filter((part) => part !== '').join('\n');
}

function table(name: string, fields: readonly FieldSpec[]): string {
  if (fields.length === 0) return '';
  const rows = fields.map(
    (field) => `| \`${field.name}\`${field.required === true ? ' *' : ''} | ${field.type} | ${meaning(field)} |`,
  );
  return `| ${name} | type | meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
}

function meaning(field: FieldSpec): string {
  const parts = [field.description ?? ''];
  if (field.enum) parts.push(`One of ${field.enum.map((choice) => `\`${choice}\``).join(', ')}.`);
  if (field.default !== undefined) parts.push(`Default \`${JSON.stringify(field.default)}\`.`);
  if (field.fields) parts.push(`Fields: ${field.fields.map((inner) => `\`${inner.name}\``).join(', ')}.`);
  return parts.filter((part) => part !== '').join(' ');
}

function operations(): string {
  const list = Object.entries(TRANSFORM_OPERATIONS).map(([name, spec]) => {
    const fields = [
      ...new Set(spec.fields.map((field) => `\`${field.name}\`${field.required === true ? ' *' : ''}`)),
    ].join(', ');
    return `| \`${name}\` | ${spec.description} | ${fields} |`;
  });
  return [
    `| operation | what it does | fields |\n|---|---|---|\n${list.join('\n')}\n`,
    `Filter operators: ${FILTER_OPERATORS.map((name) => `\`${name}\``).join(', ')}. Metrics: ${METRIC_NAMES.map((name) => `\`${name}\``).join(', ')}. Examples: [transforms](transforms.md).\n`,
  ].join('\n');
}
