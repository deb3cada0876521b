import type { ConnectorDefinition } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import type { ConnectorBindingsStore } from '../../infra/db/stores/connector-bindings.store';
import type { SecretSource } from '../../infra/secrets/secret-source';
import { DATABASE_PLACE, secretName, secretOrigins } from './secret-origins';

/** Confirmations of the owner of secrets. */
export type Confirmations = Pick<ConnectorBindingsStore, 'confirmations'>;

/** The definition that is about to be called, and a stored version of its connector. */
export interface SecretUse {
  ownerId: string;
  versionId: string;
  definition: ConnectorDefinition;
}

/** A use of what a profile binds: other addresses than those of the stored version, another secret than the one it names. */
export interface BoundSecretUse extends SecretUse {
  stored: ConnectorDefinition;
  sentAs: (named: string) => string;
}

export interface Confirmable {
  /** Slug. */
  connector: string;
  /** Name of the secret; absent where the definition sends none. */
  secret?: string;
  /** Places where the secret would go, those where it may go, and those of the first that are missing in the second. */
  wanted: string[];
  known: string[];
  missing: string[];
}

/**
 * Places that the owner of the secrets would have to confirm, for the secret that the definition names or another;
 * undefined = they have no such version.
 */
export async function confirmable(
  bindings: Confirmations,
  { ownerId, versionId, definition }: SecretUse,
  secret = secretName(definition),
): Promise<Confirmable | undefined> {
  const state = await bindings.confirmations<ConnectorDefinition>(ownerId, versionId, secret ?? '');
  if (state === undefined) return undefined;
  const { connector, reused, first_definition: first, confirmed } = state;
  const written = reused || first.imported === true ? [] : writtenFor(first, secret);
  const known = [...new Set([...written, ...confirmed.flat()])].toSorted();
  const wanted = secretOrigins(definition);
  const missing = wanted.filter((origin) => !known.includes(origin));
  return { connector, ...(secret === undefined ? {} : { secret }), wanted, known, missing };
}

/**
 * Places of the first version: its author permits them for its own secret, and for no other that a later version names.
 */
function writtenFor(first: ConnectorDefinition, secret: string | undefined): string[] {
  return secret === undefined || secretName(first) === secret ? secretOrigins(first) : [];
}

/**
 * Secrets for one call. They are given to it only when all places that they could go to are those that the connector
 * was written with, or were confirmed by their owner. Throws what `secrets` throws, then `needs_confirmation`.
 */
export function confirmedSecrets(
  secrets: SecretSource,
  bindings: Confirmations,
  use: SecretUse | BoundSecretUse,
): SecretSource {
  return {
    resolve: async (ownerId, name) => {
      // A missing secret is reported first: its confirmations are deleted with it.
      const secret = await secrets.resolve(ownerId, name);
      await requireConfirmed(bindings, use, 'sentAs' in use ? use.sentAs(name) : name);
      return secret;
    },
  };
}

/** Throws `needs_confirmation` for a definition that would send a secret where its owner has not agreed to. */
async function requireConfirmed(
  bindings: Confirmations,
  use: SecretUse | BoundSecretUse,
  secret: string,
): Promise<void> {
  if (!sendsSecret(use.definition)) return;
  const asked = await confirmable(bindings, use, secret);
  if (asked === undefined || asked.missing.length > 0) throw needsConfirmation(use, secret, asked);
}

function sendsSecret({ connection }: ConnectorDefinition): boolean {
  return 'auth' in connection && connection.auth.type !== 'none';
}

function needsConfirmation(use: SecretUse | BoundSecretUse, secret: string, asked: Confirmable | undefined): AppError {
  const { id } = use.definition;
  const missing = asked?.missing ?? [];
  const known = asked?.known ?? [];
  const to = missing.join(', ') || 'a new place';
  const does = missing.includes(DATABASE_PLACE)
    ? 'would read the database that a secret leads to'
    : `would send its secret to ${to}`;
  const before =
    known.length > 0
      ? `so far it was sent to ${known.join(', ')}`
      : 'nobody has confirmed any place for it: the definition was imported, it began without this secret, or a connector of this name was deleted';
  const message = `The connector \`${id}\` ${does}; ${before}. Nothing was sent. The owner of the secret must confirm the new place: ${wayFor(use, secret, missing)}.`;
  const details = { connector: id, new_origins: missing, known_origins: known };
  return new AppError('needs_confirmation', message, { category: 'conflict', details });
}

/**
 * Advice on the confirmation, at the binding or at the connector. A person who runs another owner's profile does not
 * learn names of secrets.
 */
function wayFor(use: SecretUse | BoundSecretUse, secret: string, missing: readonly string[]): string {
  const { id } = use.definition;
  const instruction = `af connectors confirm ${id}, or POST /connectors/${id}/confirm with the \`origins\``;
  if (!('stored' in use)) return instruction;
  const stored = secretOrigins(use.stored);
  if (missing.some((origin) => !stored.includes(origin))) {
    return 'by saving the binding of the profile again with its `credentials` and `config_overrides` in one request, which name the secret, if another, and the address';
  }
  return secretName(use.stored) === secret
    ? instruction
    : `${instruction} and the \`secret\` that the binding gives it`;
}
