import type { ConnectorDefinition } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import {
  boundDefinition,
  boundSecretName,
  boundSecrets,
  requireAllowed,
  type Binding,
} from '../../connectors/call/binding';
import type { ResolvedSecret, SecretSource } from '../../infra/secrets/secret-source';
import type { BoundCiphertext, ConnectorUse, RunBinding } from '../../infra/db/stores/run-bindings.store';
import { PlatformTrouble } from '../runner/types';
import type { ActionContext } from './types';

/** Reads the current state of bindings: `RunBindingsStore`. */
export interface RunBindings {
  find(use: ConnectorUse): Promise<RunBinding>;
  secret(use: ConnectorUse, endpoint: string, name: string): Promise<BoundCiphertext | null>;
}

/** Secrets of the caller, and of the owner of a shared profile: `SecretVault`. */
export interface BoundSecrets extends SecretSource {
  openBound(name: string, row: BoundCiphertext): ResolvedSecret;
}

/** One call of a pinned connector under the rules of the run's profile. */
export interface BoundUse {
  connector: string;
  endpoint: string;
  versionId: string;
  context: ActionContext;
}

interface Bound {
  binding: Binding;
  secretOwner: string;
}

/**
 * Reads how the run's profile may use the connector at this moment. Throws `connector_not_found`, `binding_removed`,
 * `endpoint_not_allowed`; a run that lost its profile is paused, and its step begins anew when it goes on.
 */
export async function requireBinding(bindings: RunBindings, use: BoundUse): Promise<Bound> {
  const { outcome, secret_owner, permissions, config_overrides, credentials } = await bindings.find(placeOf(use));
  if (outcome === 'access_revoked') {
    throw new PlatformTrouble('interrupted', 'The profile of the run may not be run any more.', use.context.stepPath);
  }
  if (outcome === 'binding_removed') {
    throw new AppError(
      'binding_removed',
      `The profile of this run does not use the connector \`${use.connector}\` any more. Its owner can bind it again, then retry the run.`,
      { category: 'forbidden' },
    );
  }
  if (outcome !== 'ok' || secret_owner === null) throw connectorNotFound(use.connector);
  const binding = {
    permissions: permissions ?? {},
    config_overrides: config_overrides ?? {},
    credentials: credentials ?? {},
  };
  requireAllowed(binding, use.connector, use.endpoint);
  return { binding, secretOwner: secret_owner };
}

/** The connector as the binding lets it be called, and the secrets that go with it. */
export function bind(
  deps: { secrets: BoundSecrets; bindings: RunBindings },
  use: BoundUse,
  { definition, bound }: { definition: ConnectorDefinition; bound: Bound },
): { definition: ConnectorDefinition; secrets: SecretSource } {
  const { binding, secretOwner } = bound;
  const own = secretOwner === use.context.ownerId;
  const secrets = own
    ? boundSecrets(deps.secrets, definition, binding)
    : secretsOfOwner(deps, use, { definition, bound });
  return { definition: boundDefinition(definition, binding), secrets };
}

/** Secrets of the profile's owner: only those that the binding gives to this endpoint. */
function secretsOfOwner(
  deps: { secrets: BoundSecrets; bindings: RunBindings },
  use: BoundUse,
  { definition, bound }: { definition: ConnectorDefinition; bound: Bound },
): SecretSource {
  return {
    resolve: async (_caller, named) => {
      const name = boundSecretName(definition, named, bound.binding.credentials);
      const row = await deps.bindings.secret(placeOf(use), use.endpoint, name);
      if (row === null) throw noSecret(use.connector, named);
      return deps.secrets.openBound(name, row);
    },
  };
}

export function connectorNotFound(connector: string): AppError {
  return new AppError(
    'connector_not_found',
    `The run has no connector \`${connector}\`. Create it, then start the run again.`,
    { category: 'not_found' },
  );
}

function placeOf({ versionId, context }: BoundUse): ConnectorUse {
  return { runId: context.runId, ownerId: context.ownerId, versionId };
}

/** Names the secret as the connector's text does: the name that the binding uses is shown to its owner alone. */
function noSecret(connector: string, named: string): AppError {
  return new AppError(
    'secret_not_found',
    `The secret \`${named}\` of the connector \`${connector}\` is not there. The person who shares this agent must store it, or bind another one to the connector; then repeat the step.`,
    { category: 'not_found' },
  );
}
