import type { Rule } from '../rule';
import { approverTeams } from './approver-teams';
import { approverUsers } from './approver-users';
import { connectorsExist } from './connectors-exist';
import { dependencies } from './dependencies';
import { destinations } from './destinations';
import { deterministicMode } from './deterministic-mode';
import { expressionSyntax } from './expression-syntax';
import { fieldsExist } from './fields-exist';
import { gateDestinations, gateEffects } from './gate-effects';
import { gatesBelow } from './gates-below';
import { knownActions } from './known-actions';
import { llmOutputSchema } from './llm-output-schema';
import { modelConfigured } from './model-configured';
import { longChains } from './long-chains';
import { noSecrets } from './no-secrets';
import { notYetActive } from './not-yet-active';
import { referencesExist } from './references-exist';
import { requiredConnectors } from './required-connectors';
import { stepInputs } from './step-inputs';
import { stepParams } from './step-params';
import { subPlaybooks } from './sub-playbooks';
import { transformOperations } from './transform-operations';
import { typesFit } from './types-fit';
import { uniqueNames } from './unique-names';
import { unusedOutputs } from './unused-outputs';

/** In the order in which problems of one place are shown: what must be repaired first comes first. */
export const RULES: readonly Rule[] = Object.freeze([
  expressionSyntax,
  uniqueNames,
  knownActions,
  connectorsExist,
  dependencies,
  subPlaybooks,
  stepInputs,
  stepParams,
  transformOperations,
  fieldsExist,
  destinations,
  referencesExist,
  typesFit,
  llmOutputSchema,
  deterministicMode,
  noSecrets,
  requiredConnectors,
  approverTeams,
  approverUsers,
  gateEffects,
  gateDestinations,
  gatesBelow,
  notYetActive,
  unusedOutputs,
  longChains,
  modelConfigured,
]);
