/** Connector and playbooks of the fault cases. The body of every effect names its run, step and item, so that W can tell them apart. */
export type Effect = 'none' | 'idempotent' | 'keyed' | 'unsafe';

export interface ConnectorOptions {
  timeoutSeconds?: number;
}

/** `<effect>` posts `{run, what}` to W; `read` sends a GET. The canary is the credential of every call. */
export function witnessConnector(id: string, url: string, { timeoutSeconds = 30 }: ConnectorOptions = {}): string {
  const post = (effect: Effect) => `
  ${effect}:
    method: POST
    path: /${effect}
    effect: ${effect}
    parameters:
      - {name: run, type: string, required: true}
      - {name: what, type: any, required: true}
    output_schema: {type: object, fields: [{name: ok, type: any}]}`;
  return `
id: ${id}
name: Witness
type: rest_api
version: "1.0"
connection:
  base_url: ${url}
  auth: {type: bearer_token, secret: {secret: CANARY}}
  timeout_seconds: ${timeoutSeconds}
endpoints:
  read:
    path: /read
    parameters: [{name: what, type: string}]${(['idempotent', 'keyed', 'unsafe'] as const).map(post).join('')}
`;
}

/** A step that calls W; `more`: further fields of the step, such as `retry_count: 2`. */
export function callStep(name: string, endpoint: Effect, { connector = 'w', more = '' } = {}): string {
  const inputs = `{run: "{execution_id}", what: ${name}}`;
  const rest = more === '' ? '' : `, ${more}`;
  return `{name: ${name}, step_type: tool, action: call_connector, connector: ${connector}, endpoint: ${endpoint}, inputs: ${inputs}${rest}}`;
}

export const GATE = '{name: gate, step_type: approval, prompt: go on}';

export function playbook(id: string, steps: readonly string[], head = ''): string {
  return `id: ${id}\nname: ${id}\n${head}steps:\n${steps.map((step) => `  - ${step}\n`).join('')}`;
}
