import { authFields } from '../../core/connector/auth-fields';
import type { ConnectorDefinition } from '../../core/connector/types';
import type { Plan } from '../../core/playbook/types';
import { requiredConnectors } from '../../core/validate/catalogue';
import type { ConnectorFacts, NewDefinition, PlaybookFacts } from '../../infra/db/stores/definition-types';
import { contentHash, formatOf } from './definition-source';
import { withoutNulls } from './views';

/** A connector's text and what was read from it, as the store takes them. */
export function newConnector(
  source: string,
  body: ConnectorDefinition,
): NewDefinition<ConnectorDefinition, ConnectorFacts> {
  return {
    ...textOf(source),
    slug: body.id,
    name: body.name,
    kind: body.type,
    body,
    facts: connectorFacts(body),
    ...withoutNulls({ description: body.description ?? null, declared_version: body.version ?? null }),
  };
}

/** Facts of a connector beside its name. */
export function connectorFacts(definition: ConnectorDefinition): ConnectorFacts {
  const { icon = null, category = null, tags = [] } = definition;
  const fields = authFields(definition);
  return { icon, category, tags, requires_auth: fields.length > 0, auth_fields: fields };
}

/** A playbook's text and its plan, as the store takes them. */
export function newPlaybook(source: string, body: Plan): NewDefinition<Plan, PlaybookFacts> {
  const { id, name, description, version, category, tags = [], triggers = [] } = body.playbook;
  return {
    ...textOf(source),
    slug: id,
    name,
    body,
    facts: { tags, triggers, required_connectors: requiredConnectors(body) },
    ...withoutNulls({ description: description ?? null, declared_version: version ?? null, kind: category ?? null }),
  };
}

function textOf(source: string): { source: string; content_hash: string; source_format: 'yaml' | 'json' } {
  return { source, content_hash: contentHash(source), source_format: formatOf(source) };
}
