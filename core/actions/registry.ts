import { didYouMean } from '../base/did-you-mean';
import { CONNECTOR_ACTIONS } from './connector';
import { CONTROL_ACTIONS } from './control';
import { ENTITY_ACTIONS } from './entities';
import { FILE_ACTIONS } from './files';
import { GRAPH_ANALYSIS_ACTIONS } from './graph-analysis';
import { JOURNAL_ACTIONS } from './journal';
import { KNOWLEDGE_GRAPH_ACTIONS } from './knowledge-graph';
import { LLM_ACTIONS } from './llm';
import { MONITOR_ACTIONS } from './monitor';
import { NOTIFICATION_ACTIONS } from './notifications';
import { PERSISTENCE_ACTIONS } from './persistence';
import { SEARCH_ACTIONS } from './search';
import { TASK_ACTIONS } from './tasks';
import { TEAM_ACTIONS } from './team';
import { TRANSFORM_ACTIONS } from './transform';
import type { ActionContract } from './types';

const CONTRACTS: readonly ActionContract[] = [
  ...CONNECTOR_ACTIONS,
  ...KNOWLEDGE_GRAPH_ACTIONS,
  ...SEARCH_ACTIONS,
  ...ENTITY_ACTIONS,
  ...GRAPH_ANALYSIS_ACTIONS,
  ...TRANSFORM_ACTIONS,
  ...PERSISTENCE_ACTIONS,
  ...MONITOR_ACTIONS,
  ...JOURNAL_ACTIONS,
  ...TEAM_ACTIONS,
  ...NOTIFICATION_ACTIONS,
  ...TASK_ACTIONS,
  ...FILE_ACTIONS,
  ...LLM_ACTIONS,
  ...CONTROL_ACTIONS,
];

const BY_NAME: ReadonlyMap<string, ActionContract> = new Map(CONTRACTS.map((contract) => [contract.name, contract]));

/** The contract of an action, or undefined when there is no such action. */
export function getContract(name: string): ActionContract | undefined {
  return BY_NAME.get(name);
}

/** All contracts, group by group, in a fixed order. */
export function listContracts(): readonly ActionContract[] {
  return CONTRACTS;
}

/** The action that was probably meant by a name that does not exist. */
export function suggestAction(name: string): string | undefined {
  return didYouMean(name, BY_NAME.keys());
}
