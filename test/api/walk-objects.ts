import { randomUUID } from 'node:crypto';
import { TWO_STEPS, type TestApi } from './api-fixture';
import type { Call } from './people';

/** Maker of the object, with its API and calls. */
export interface Maker {
  api: TestApi;
  ownerId: string;
  call: Call;
}

/** `params`: of the path so far. */
export type Factory = (maker: Maker, params: Record<string, string>) => Promise<string>;
export type Body = (maker: Maker, params: Record<string, string>) => unknown;

/** Answers to a body that names another owner's object, or none. */
export interface BodyId {
  foreign: Factory;
  route: string;
  status: number;
  /** Other fields that the body needs. */
  beside?: Body;
  /** Body that names this id, if the field is not the body's own. */
  naming?: (body: Record<string, unknown>, id: string) => Record<string, unknown>;
  /** The route answers 200 and tells of each thing apart. */
  each?: true;
}

export const slug = (): string => `w-${randomUUID()}`;
export const INPUTS = { rows: [{ size: 1 }] };
export const playbook = (id: string): string => TWO_STEPS.replace('id: two-steps', `id: ${id}`);
export const CONNECTOR = (id: string): string => `
id: ${id}
name: Walk
type: rest_api
version: "1.0"
connection: {base_url: https://example.org}
endpoints:
  all: {path: /all, output_schema: {type: object, fields: [{name: x, type: any}]}}
`;

export async function made(call: Call, path: string, body: unknown, field = 'id'): Promise<string> {
  const answer = await call('POST', path, body);
  if (answer.status >= 300) throw new Error(`POST ${path} gave ${answer.status}: ${JSON.stringify(answer.body)}`);
  return String(answer.body[field]);
}

export const newPlaybook: Factory = ({ call }) => made(call, '/playbooks', { source: playbook(slug()) });
export const newConnector: Factory = ({ call }) => made(call, '/connectors', { source: CONNECTOR(slug()) });

export const newRun: Factory = async (maker, params) =>
  made(maker.call, '/runs', { playbook: await newPlaybook(maker, params), inputs: INPUTS }, 'runId');

/** Another person's account. */
export const account: Factory = async ({ api }) => {
  const id = randomUUID();
  await api.admin.query(`insert into users (id, handle, display_name) values ($1, $2, 'Walked')`, [id, slug()]);
  return id;
};

/** An id that no person has. */
export const noPerson: Factory = async () => randomUUID();

/** The slug of a definition that has this id. */
export async function slugOf(call: Call, path: string): Promise<string> {
  return String((await call('GET', path)).body['slug']);
}
