import type { ConnectorDefinition } from '../../../core/connector/types';
import { AppError } from '../../../core/errors/app-error';
import type { ConnectorBindingsStore } from '../../db/stores/connector-bindings.store';
import type { SecretSource } from '../types';
import { secretName, secretOrigins } from './secret-origins';

/** The definition that is about to be called, and a stored version of its connector. */
export interface SecretUse {
  ownerId: string;
  versionId: string;
  definition: ConnectorDefinition;
}

export interface Confirmable {
  /** Slug. */
  connector: string;
  /** Where the secret would go, where it may go, and what of the first is missing in the second. */
  wanted: string[];
  known: string[];
  missing: string[];
}

/** What the owner of the secrets would have to confirm. Nothing: he has no such version. */
export async function confirmable(
  bindings: ConnectorBindingsStore,
  { ownerId, versionId, definition }: SecretUse,
): Promise<Confirmable | undefined> {
  const state = await bindings.confirmations<ConnectorDefinition>(ownerId, versionId);
  if (state === undefined) return undefined;
  const written = state.imported ? [] : writtenFor(state.first_definition, definition);
  const known = [...new Set([...written, ...state.confirmed.flat()])].toSorted();
  const wanted = secretOrigins(definition);
  return { connector: state.connector, wanted, known, missing: wanted.filter((origin) => !known.includes(origin)) };
}

/** Who wrote the first version has let its secret go there, and no other that a later version names. */
function writtenFor(first: ConnectorDefinition, definition: ConnectorDefinition): string[] {
  const secret = secretName(definition);
  return secret === undefined || secretName(first) === secret ? secretOrigins(first) : [];
}

/**
 * Secrets for one call. They leave the vault only when all places that they could go to are those that the connector
 * was written with, or were confirmed by their owner. Throws `needs_confirmation`.
 */
export function confirmedSecrets(
  secrets: SecretSource,
  bindings: ConnectorBindingsStore,
  use: SecretUse,
): SecretSource {
  return {
    resolve: async (ownerId, name) => {
      await requireConfirmed(bindings, use);
      return secrets.resolve(ownerId, name);
    },
  };
}

/** Throws `needs_confirmation` for a definition that would send a secret where its owner has not agreed to. */
async function requireConfirmed(bindings: ConnectorBindingsStore, use: SecretUse): Promise<void> {
  const { definition } = use;
  if (!sendsSecret(definition)) return;
  const asked = await confirmable(bindings, use);
  if (asked === undefined || asked.missing.length > 0) throw needsConfirmation(definition.id, asked);
}

function sendsSecret({ connection }: ConnectorDefinition): boolean {
  return 'auth' in connection && connection.auth.type !== 'none';
}

function needsConfirmation(id: string, asked: Confirmable | undefined): AppError {
  const missing = asked?.missing ?? [];
  const known = asked?.known ?? [];
  const before =
    known.length > 0
      ? `so far it was sent to ${known.join(', ')}`
      : 'nobody has confirmed any place for it: the definition was imported, or it began without this secret';
  return new AppError(
    'needs_confirmation',
    `The connector \`${id}\` would send its secret to ${missing.join(', ') || 'a new place'}; ${before}. Nothing was sent. The owner of the secret must confirm the new place: POST /connectors/${id}/confirm.`,
    { category: 'conflict', details: { connector: id, new_origins: missing, known_origins: known } },
  );
}
