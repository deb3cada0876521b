import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

interface Schema {
  $ref?: string;
  properties?: object;
  additionalProperties?: unknown;
  discriminator?: { mapping?: Record<string, string> };
}
interface Response {
  content?: Record<string, { schema: Schema }>;
}
interface OpenApi {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
}

/** The document as it is written. */
export const WRITTEN = JSON.parse(readFileSync(join(__dirname, '../../openapi.json'), 'utf8')) as OpenApi;
/** The document with each answer in its place. */
export const OPENAPI = withAnswers(structuredClone(WRITTEN));

function withAnswers(document: OpenApi): OpenApi {
  for (const { responses } of Object.values(document.paths).flatMap((item) => Object.values(item)))
    for (const [status, response] of Object.entries(responses)) {
      const name = '$ref' in response ? String(response.$ref).replace('#/components/responses/', '') : '';
      responses[status] = document.components.responses[name] ?? response;
    }
  return document;
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const closed = structuredClone(OPENAPI.components.schemas);
for (const schema of Object.values(closed)) {
  // A field that the document does not know is a mistake of the document.
  if (schema.properties !== undefined && schema.additionalProperties === undefined) {
    schema.additionalProperties = false;
  }
}
ajv.addSchema({ $id: 'api', components: { schemas: closed } });
const compiled = new Map<string, ValidateFunction>();

/** Describes how a value breaks a schema of the document; empty = it does not. */
export function mismatch(schemaRef: string, value: unknown): string {
  const validate = compiled.get(schemaRef) ?? ajv.compile({ $ref: `api${schemaRef}` });
  compiled.set(schemaRef, validate);
  return validate(value) ? '' : ajv.errorsText(validate.errors);
}

/** Describes how the data of an event break the schema of its type; empty = they do not. */
export function eventMismatch(data: object): string {
  const { type } = data as { type?: unknown };
  const { mapping = {} } = OPENAPI.components.schemas['RunEvent']?.discriminator ?? {};
  const place = typeof type === 'string' ? mapping[type] : undefined;
  return place === undefined ? `is not documented: ${String(type)}` : mismatch(place, data);
}

/** Throws unless the document has this route with this status, and the JSON body is as it says. */
export function checkAnswer(answer: {
  method: string;
  path: string;
  status: number;
  type: string;
  body: unknown;
}): void {
  const operation = operationOf(answer.method, answer.path);
  if (operation === undefined) {
    return;
  }
  const response = operation.responses[String(answer.status)];
  const what = `${answer.method} ${answer.path} ${answer.status}`;
  if (response === undefined) {
    throw new Error(`${what} is not documented`);
  }
  const schema = response.content?.[answer.type.split(';')[0] ?? '']?.schema;
  if (schema?.$ref !== undefined) {
    const wrong = mismatch(schema.$ref, answer.body);
    if (wrong !== '') {
      throw new Error(
        `${what} does not match ${schema.$ref}: ${wrong}\n${JSON.stringify(answer.body).slice(0, 2_000)}`,
      );
    }
  }
}

/** `/playbooks/validate` before `/playbooks/{id}`. */
const ROUTES = Object.entries(OPENAPI.paths)
  .map(([template, operations]) => ({
    operations,
    free: template.split('{').length,
    fits: new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
  }))
  .sort((a, b) => a.free - b.free);

function operationOf(method: string, path: string): { responses: Record<string, Response> } | undefined {
  const plain = path.split('?')[0] ?? '';
  return ROUTES.find(({ fits }) => fits.test(plain))?.operations[method.toLowerCase()];
}
