import { parse } from 'yaml';
import { getContract } from '../core/actions/registry';
import type { Plan } from '../core/playbook/types';
import { CliError, EXIT } from './errors';
import type { Api } from './http/api';
import type { Run } from './http/types';
import type { DeclaredTypes } from './inputs';

interface Declared {
  name?: unknown;
  type?: unknown;
}

/** Types of a playbook's inputs. Empty where there is no such playbook: the start of the run reports that. */
export async function playbookTypes(api: Api, playbook: string, version?: string): Promise<DeclaredTypes> {
  return typesOf((await planOf(api, playbook, version))?.inputs);
}

/**
 * Types of the inputs of the step with which a retry begins, by the action in the run's own version of the playbook.
 */
export async function stepTypes(api: Api, run: Run, from?: string): Promise<DeclaredTypes> {
  const plan = await planOf(api, run.playbook.slug, run.playbook.version_no?.toString());
  const bad = new Set(run.steps.flatMap(({ step, status }) => (status === 'ok' || status === 'skipped' ? [] : [step])));
  const step = plan?.steps.find(({ name }) => (from === undefined ? bad.has(name) : name === from));
  if (step?.kind === 'run_playbook') return playbookTypes(api, step.playbook);
  if (step?.kind !== 'tool' && step?.kind !== 'llm_task') return new Map();
  const { connector, endpoint } = step.params;
  if (step.action !== 'call_connector') return typesOf(getContract(step.action)?.inputs);
  if (typeof connector !== 'string' || typeof endpoint !== 'string') return new Map();
  return savedEndpointTypes(api, connector, endpoint);
}

interface WithPlan {
  plan?: Plan;
}

async function planOf(api: Api, playbook: string, version?: string): Promise<WithPlan['plan']> {
  const place = `/playbooks/${encodeURIComponent(playbook)}`;
  const path = version === undefined ? place : `${place}/versions/${encodeURIComponent(version)}`;
  const found = await unlessRefused(api.get<{ version?: WithPlan } & WithPlan>(path));
  return (found?.version ?? found)?.plan;
}

/** Types of an endpoint's parameters, from the text of its connector. */
export function endpointTypes(source: string, endpoint: string): DeclaredTypes {
  let definition: unknown;
  try {
    definition = parse(source);
  } catch {
    // The API reports the fault of the text.
    return new Map();
  }
  const { endpoints } = (definition ?? {}) as { endpoints?: Record<string, { parameters?: unknown } | null> };
  const parameters = endpoints?.[endpoint]?.parameters;
  // A parameter without a type is text.
  return typesOf(parameters, 'string');
}

/** Types of the parameters of a saved connector's endpoint. */
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
