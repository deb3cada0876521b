import { isJsonObject, ownField } from '../../core/base/json';
import type { ConnectorDefinition } from '../../core/connector/types';
import type { ConnectorBindingsStore } from '../../infra/db/stores/connector-bindings.store';
import { boundSecretName, type Binding } from '../call/binding';
import { confirmable } from './confirmation';
import { secretName, secretOrigins } from './secret-origins';

/** Latest version of a connector that is bound. */
export interface BoundVersion {
  id: string;
  slug: string;
  body: ConnectorDefinition;
}

/**
 * Binding one's own connector to one's own profile confirms where the secret goes: to the addresses of the binding, and, where it
 * names another secret, also to those that the connector's own secret may go to. It confirms nothing else: a place that a later version
 * added and that nobody has confirmed stays unconfirmed.
 */
export async function confirmBinding(
  bindings: ConnectorBindingsStore,
  ownerId: string,
  { id: versionId, slug, body: definition }: BoundVersion,
  binding: Binding,
): Promise<void> {
  const named = secretName(definition);
  const secret = named === undefined ? undefined : givenSecret(definition, named, binding);
  if (named === undefined || secret === undefined) return;
  const said = addressesOf(binding);
  const use = { ownerId, versionId, definition };
  const own = secret === named ? [] : ((await confirmable(bindings, use))?.known ?? []);
  const wanted = secretOrigins(definition);
  const origins = [...new Set([...said, ...own.filter((origin) => wanted.includes(origin))])];
  if (origins.length > 0) await bindings.confirm(ownerId, { connector: slug, secret, origins });
}

/** Secret of the binding; undefined when the connector does not know it, so that no call would send it. */
function givenSecret(definition: ConnectorDefinition, named: string, { credentials }: Binding): string | undefined {
  try {
    return boundSecretName(definition, named, credentials);
  } catch {
    return undefined;
  }
}

function addressesOf({ config_overrides: overrides }: Binding): string[] {
  const perEndpoint = ownField(overrides, 'endpoint_base_urls');
  const written = [
    ownField(overrides, 'base_url'),
    ownField(overrides, 'token_url'),
    ...(isJsonObject(perEndpoint) ? Object.values(perEndpoint) : []),
  ];
  return written.flatMap((url) => (typeof url === 'string' && URL.canParse(url) ? [new URL(url).origin] : []));
}
