import { describe, expect, it } from '@jest/globals';
import { parseProfile } from '../../../core/profile/parse-profile';

const KNOWN = { connectors: ['irs-990-xml', 'fec-contributions'], playbooks: ['nonprofit-investigation'] };
const WHOLE = `
id: investigator
name: Investigator
description: Looks at nonprofits.
icon: "🔍"
model_preference: openai/gpt-4o
max_research_rounds: 5
data_sources:
  - connector: irs-990-xml
  - connector: fec-contributions
    is_enabled: false
skills:
  - skill: research
  - playbook: nonprofit-investigation
knowledge_config: {auto_enrich: true, graph_namespaces: [research]}
output_config:
  auto_enrich_graph: true
  destinations:
    - {type: document, format: markdown, config: {folder_id: reports}}
system_prompt_additions: Be careful.
`;

describe('the template of a profile', () => {
  it('is read as a whole', () => {
    expect(parseProfile(WHOLE, KNOWN)).toEqual({
      problems: [],
      template: {
        id: 'investigator',
        name: 'Investigator',
        description: 'Looks at nonprofits.',
        icon: '🔍',
        model_preference: 'openai/gpt-4o',
        max_research_rounds: 5,
        system_prompt_additions: 'Be careful.',
        knowledge_config: { auto_enrich: true, graph_namespaces: ['research'] },
        output_config: {
          auto_enrich_graph: true,
          destinations: [{ type: 'document', format: 'markdown', config: { folder_id: 'reports' } }],
        },
        connectors: [
          { connector: 'irs-990-xml', is_enabled: true },
          { connector: 'fec-contributions', is_enabled: false },
        ],
        skills: [
          { built_in: 'research', priority: 2 },
          { playbook: 'nonprofit-investigation', priority: 1 },
        ],
      },
    });
  });

  it('needs no more than an id and a name', () => {
    expect(parseProfile('id: a\nname: A\n', KNOWN)).toEqual({
      problems: [],
      template: { id: 'a', name: 'A', knowledge_config: {}, output_config: {}, connectors: [], skills: [] },
    });
  });

  const broken: [what: string, from: string, to: string, code: string, line: number, says: string][] = [
    ['an id that is no handle', 'id: investigator', 'id: Not A Handle', 'invalid_value', 2, 'Not A Handle'],
    ['no name', 'name: Investigator\n', '', 'missing_field', 2, '`name`'],
    ['a field that nobody knows', 'icon: "🔍"', 'icno: x', 'unknown_field', 5, '`icno`'],
    ['a model without a provider', 'openai/gpt-4o', 'gpt-4o', 'invalid_value', 6, 'provider/model'],
    ['too many rounds', 'rounds: 5', 'rounds: 50', 'invalid_type', 7, '1 to 20'],
    [
      'a connector that is not there',
      'connector: irs-990-xml',
      'connector: irs-990-xm',
      'unknown_connector',
      9,
      'irs-990-xm',
    ],
    [
      'a playbook that is not there',
      'nonprofit-investigation',
      'nonprofit-investigaton',
      'unknown_playbook',
      14,
      'investigaton',
    ],
    ['a skill of no kind', '- skill: research', '- skil: research', 'missing_field', 13, '`playbook`'],
    ['an unknown destination', 'type: document', 'type: documnet', 'invalid_value', 19, 'documnet'],
    ['an unknown format', 'format: markdown', 'format: pdf', 'invalid_value', 19, 'pdf'],
    ['a field of knowledge that nobody knows', 'auto_enrich: true, ', 'auto: true, ', 'unknown_field', 15, '`auto`'],
    [
      'a destination without config',
      'config: {folder_id: reports}',
      'config: reports',
      'invalid_type',
      19,
      '`reports`',
    ],
  ];
  it.each(broken)('%s is a problem with its place', (_what, from, to, code, line, says) => {
    expect(WHOLE).toContain(from);
    const { template, problems } = parseProfile(WHOLE.replace(from, to), KNOWN);
    expect(template).toBeUndefined();
    expect(problems).toContainEqual(
      expect.objectContaining({ code, line, severity: 'error', message: expect.stringContaining(says) }),
    );
  });

  it('suggests the name that was probably meant, and says everything at once', () => {
    const text = WHOLE.replace('irs-990-xml', 'irs-990-xm').replace('- playbook: nonprofit', '- playbook: nonprofits');
    const { problems } = parseProfile(text, KNOWN);
    expect(problems.map((problem) => problem.suggestion)).toEqual([
      'Did you mean `irs-990-xml`?',
      'Did you mean `nonprofit-investigation`?',
    ]);
  });

  it.each(['', '[]', 'id: [', 'just text'])('%j is no template', (text) => {
    const { template, problems } = parseProfile(text, KNOWN);
    expect(template).toBeUndefined();
    expect(problems.some((problem) => problem.severity === 'error')).toBe(true);
  });
});
