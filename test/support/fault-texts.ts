/** Connector and playbooks of the fault cases. Every effect's body names its run, step and item: W can tell them apart. */
export type Effect = 'none' | 'idempotent' | 'keyed' | 'unsafe';

export interface ConnectorOptions {
  timeoutSeconds?: number;
}

/** `w.<effect>` posts `{run, what}` to W; `w.read` gets. The canary is the credential of every call. */
export function witnessConnector(url: string, { timeoutSeconds = 30 }: ConnectorOptions = {}): string {
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
id: w
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

/** One call of W. */
export function callStep(name: string, endpoint: Effect, extra = ''): string {
  return `{name: ${name}, step_type: tool, action: call_connector, connector: w, endpoint: ${endpoint}, inputs: {run: "{execution_id}", what: ${name}}${extra}}`;
}

export function playbook(id: string, steps: readonly string[], head = ''): string {
  return `id: ${id}\nname: ${id}\n${head}steps:\n${steps.map((step) => `  - ${step}\n`).join('')}`;
}
