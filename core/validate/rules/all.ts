import type { Rule } from '../rule';
import { unknownTeam } from './unknown-team';
import { unknownUser } from './unknown-user';
import { unknownConnector } from './unknown-connector';
import { dependencies } from './dependencies';
import { destinations } from './destinations';
import { modelNotAllowed } from './model-not-allowed';
import { expressionSyntax } from './expression-syntax';
import { expressionTypes } from './expression-types';
import { fieldsExist } from './fields-exist';
import { gateDestinations, effectAfterSkippableGate } from './effect-after-skippable-gate';
import { gateInSubPlaybook } from './gate-in-sub-playbook';
import { knownActions } from './known-actions';
import { missingOutputSchema } from './missing-output-schema';
import { modelNotConfigured } from './model-not-configured';
import { longChain } from './long-chain';
import { secretNotAllowed } from './secret-not-allowed';
import { notYetActive } from './not-yet-active';
import { unresolvedReference } from './unresolved-reference';
import { requiredConnectors } from './required-connectors';
import { stepInputs } from './step-inputs';
import { stepParams } from './step-params';
import { subPlaybooks } from './sub-playbooks';
import { invalidOperation } from './invalid-operation';
import { typeMismatch } from './type-mismatch';
import { duplicateName } from './duplicate-name';
import { unusedOutput } from './unused-output';

/** Rules in the order in which problems of one place are shown: the one to repair first comes first. */
export const RULES: readonly Rule[] = Object.freeze([
  expressionSyntax,
  duplicateName,
  knownActions,
  unknownConnector,
  dependencies,
  subPlaybooks,
  stepInputs,
  stepParams,
  invalidOperation,
  fieldsExist,
  destinations,
  unresolvedReference,
  typeMismatch,
  expressionTypes,
  missingOutputSchema,
  modelNotAllowed,
  secretNotAllowed,
  requiredConnectors,
  unknownTeam,
  unknownUser,
  effectAfterSkippableGate,
  gateDestinations,
  gateInSubPlaybook,
  notYetActive,
  unusedOutput,
  longChain,
  modelNotConfigured,
]);
