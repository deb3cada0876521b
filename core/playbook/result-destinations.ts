import type { DestinationType } from '../actions/destinations';
import { ownField } from '../base/json';
import type { DestinationTarget, OutputDestination, Plan } from './types';

/** Results go to their destinations when all steps are over. A chat only shows them. */
export function writesResults(plan: Plan): boolean {
  return resultDestinations(plan).length > 0;
}

export function resultDestinations({ output }: Plan): OutputDestination[] {
  return (output?.destinations ?? []).filter(({ type }) => type !== 'chat');
}

/** Each kind once. */
export function kindsOf(destinations: readonly OutputDestination[]): DestinationType[] {
  return [...new Set(destinations.map(({ type }) => type))];
}

/** Settings that name the target of writing, in order of precedence. */
const NAMES: Readonly<Record<Exclude<DestinationType, 'chat'>, readonly string[]>> = {
  document: ['filename_template', 'filename'],
  folder: ['folder_id', 'folder'],
  file_export: ['filename_template', 'filename'],
  data_workspace_table: ['table_name'],
  append_to_existing: ['document_id', 'document'],
  knowledge_graph: [],
  data_workspace_db: [],
};
const WITH_FORMAT: readonly DestinationType[] = ['document', 'folder', 'file_export'];
const MAX_NAME = 200;

/** All targets: two files are two. */
export function targetsOf(destinations: readonly OutputDestination[]): DestinationTarget[] {
  return destinations.map((destination) => {
    const { type, format } = destination;
    const name = nameOf(destination);
    return { type, ...(name === undefined ? {} : { name }), ...(WITH_FORMAT.includes(type) ? { format } : {}) };
  });
}

function nameOf({ type, config }: OutputDestination): string | undefined {
  const names = type === 'chat' ? [] : NAMES[type];
  const found = names.map((name) => ownField(config, name)).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found.slice(0, MAX_NAME) : undefined;
}
