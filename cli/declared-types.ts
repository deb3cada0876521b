import { parse } from 'yaml';
import { CliError, EXIT } from './errors';
import type { Api } from './http/api';
import type { DeclaredTypes } from './inputs';

interface Declared {
  name?: unknown;
  type?: unknown;
}

/** Types of a playbook's inputs. Empty where there is no such playbook: the start of the run reports that. */
export async function playbookTypes(api: Api, playbook: string, version?: string): Promise<DeclaredTypes> {
  const place = `/playbooks/${encodeURIComponent(playbook)}`;
  const path = version === undefined ? place : `${place}/versions/${encodeURIComponent(version)}`;
  const found = await unlessRefused(api.get<{ version?: WithPlan } & WithPlan>(path));
  return typesOf((found?.version ?? found)?.plan?.inputs);
}

interface WithPlan {
  plan?: { inputs?: unknown };
}

/** Of the parameters of an endpoint, from the text of its connector. */
export function endpointTypes(source: string, endpoint: string): DeclaredTypes {
  let definition: unknown;
  try {
    definition = parse(source);
  } catch {
    // The API says what is wrong with the text.
    return new Map();
  }
  const { endpoints } = (definition ?? {}) as { endpoints?: Record<string, { parameters?: unknown } | null> };
  const parameters = endpoints?.[endpoint]?.parameters;
  // A parameter without a type is text.
  return typesOf(parameters, 'string');
}

/** Of the parameters of an endpoint of a connector that is saved. */
export async function savedEndpointTypes(api: Api, connector: string, endpoint: string): Promise<DeclaredTypes> {
  const path = `/connectors/${encodeURIComponent(connector)}`;
  const found = await unlessRefused(api.get<{ source?: string }>(path));
  return endpointTypes(found?.source ?? '', endpoint);
}

function typesOf(declared: unknown, ofNone?: string): DeclaredTypes {
  if (!Array.isArray(declared)) return new Map();
  return new Map(
    (declared as Declared[]).flatMap(({ name, type = ofNone }) =>
      typeof name === 'string' && typeof type === 'string' ? [[name, type] as const] : [],
    ),
  );
}

async function unlessRefused<Body>(answer: Promise<Body>): Promise<Body | undefined> {
  return answer.catch((error: unknown) => {
    if (error instanceof CliError && error.exitCode !== EXIT.unreachable) return undefined;
    throw error;
  });
}
