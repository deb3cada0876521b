import { configVariables } from './config';

/** The table of docs/configuration.md, in Markdown. */
export function configurationTable(): string {
  const rows = configVariables.map((variable) => {
    const value =
      variable.default === undefined ? 'not set' : variable.default === '' ? 'empty' : `\`${variable.default}\``;
    return `| \`${variable.name}\` | ${variable.description} | ${variable.expected} | ${value} |`;
  });
  return ['| variable | meaning | expected | default |', '|---|---|---|---|', ...rows].join('\n');
}
