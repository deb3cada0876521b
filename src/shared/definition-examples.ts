/** Examples of the OpenAPI document. They fit together: runs use the definitions that the other examples save. */
export const PLAYBOOK_EXAMPLE = `id: largest-first
name: Largest first
inputs:
  - {name: rows, type: list, required: true}
steps:
  - name: sorted
    step_type: tool
    action: transform_data
    inputs: {data: "{rows}"}
    params: {operations: [{type: sort, field: size, direction: desc}]}
`;
export const PLAYBOOK_INPUTS_EXAMPLE = { rows: [{ size: 1 }, { size: 2 }] };

export const CONNECTOR_EXAMPLE = `id: candidates
name: Candidates
type: rest_api
version: "1.0"
connection: {base_url: https://api.example.org}
endpoints:
  candidates:
    path: /v1/candidates
    parameters:
      - {name: party, type: string}
    output_schema: {type: record_set, fields: [{name: name, type: string}]}
`;

export const OPENAPI_EXAMPLE = {
  openapi: '3.1.0',
  info: { title: 'Candidates', version: '1' },
  servers: [{ url: 'https://api.example.org' }],
  paths: {
    '/candidates': { get: { operationId: 'candidates', responses: { '200': { description: 'All of them.' } } } },
  },
};
