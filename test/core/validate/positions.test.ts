import { describe, expect, it } from '@jest/globals';
import { validate } from './harness';

/** The line that each problem points at, with its code and field. */
function places(text: string): string[] {
  const lines = text.split('\n');
  return validate(text)
    .filter(({ severity }) => severity === 'error')
    .map(({ code, field, line }) => `${code} ${field ?? ''} | ${lines[(line ?? 0) - 1]?.trim() ?? ''}`);
}

describe('what stands behind an invalid element of a list is pointed at where it is written', () => {
  it('of destinations (f3-wrong-positions.yaml)', () => {
    const text = `id: f3
name: F3
steps:
  - name: r
    step_type: tool
    action: call_connector
    connector: irs
    endpoint: filings
    inputs: {ein: "2"}
output:
  sections:
    - {title: R, source: r.results}
  destinations:
    - type: documnt
    - type: document
      format: docx
    - type: data_workspace_table
      config: {table: x}
    - type: file_export
      condition: '{r.count} = 1'
    - type: document
      config: {filename_template: '{nope}'}`;
    expect(places(text)).toEqual([
      'invalid_value output.destinations[0].type | - type: documnt',
      'invalid_value output.destinations[1].format | format: docx',
      'unknown_field output.destinations[2].config.table | config: {table: x}',
      "invalid_expression output.destinations[3].condition | condition: '{r.count} = 1'",
      "unresolved_reference output.destinations[4].config.filename_template | config: {filename_template: '{nope}'}",
    ]);
  });

  it('of destinations behind those that save_to stands for, and of what is no mapping at all', () => {
    const text = `id: f3
steps:
  - {name: r, step_type: tool, action: query_journal}
output:
  save_to: both
  destinations:
    - nothing
    - type: document
      config: {secret: x}
    - {type: chat, condition: "{"}`;
    expect(places(text)).toEqual([
      'invalid_type output.destinations[0] | - nothing',
      'secret_not_allowed output.destinations[1].config | config: {secret: x}',
      'unknown_field output.destinations[1].config.secret | config: {secret: x}',
      'invalid_expression output.destinations[2].condition | - {type: chat, condition: "{"}',
    ]);
  });

  it('of sections, inputs and dependencies', () => {
    const text = `id: f3
inputs:
  - {type: string}
  - {name: "not a name"}
  - {name: r}
  - {name: r}
steps:
  - name: r
    step_type: tool
    action: query_journal
    depends_on:
      - 5
      - s
      - s
      - t
  - {name: s, step_type: tool, action: query_journal}
output:
  sections:
    - 7
    - {title: no source}
    - {title: R, source: nobody.results}`;
    expect(places(text)).toEqual([
      'missing_field inputs[0].name | - {type: string}',
      'invalid_name inputs[1].name | - {name: "not a name"}',
      'duplicate_name inputs[3].name | - {name: r}',
      'duplicate_name name | - name: r',
      'invalid_type depends_on[0] | - 5',
      'nonexistent_step depends_on[3] | - t',
      'invalid_type output.sections[0] | - 7',
      'missing_field output.sections[1].source | - {title: no source}',
      'nonexistent_step output.sections[2].source | - {title: R, source: nobody.results}',
    ]);
  });

  it('of approvers', () => {
    const text = `id: f3
steps:
  - name: ask
    step_type: approval
    approvers:
      scopes:
        - 5
        - finance:approver
        - Finance`;
    expect(places(text)).toEqual([
      'invalid_type approvers.scopes[0] | - 5',
      'invalid_value approvers.scopes[2] | - Finance',
    ]);
  });
});
