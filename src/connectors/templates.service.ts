import { Injectable } from '@nestjs/common';
import type { ConnectorDefinition } from '../../core/connector/types';
import { catalogDirectory } from '../../infra/catalog/catalog-directory';
import type { CatalogEntry } from '../../infra/catalog/compiled-catalog';
import { loadCatalog } from '../catalog/load-catalog';
import { endpointFacts } from '../../infra/catalog/template-facts';
import { templateText } from '../../connectors/definition/template-text';
import type { ConnectorFacts } from '../../infra/db/stores/definition-types';
import { notFound } from '../../infra/db/stores/not-found';
import { connectorFacts } from '../shared/new-definition';
import { withoutNulls } from '../shared/views';
import type { ConnectorTemplateQuery } from './dto/connector-list.dto';
import type { ConnectorTemplateDto, FromTemplateDto } from './dto/template.dto';

type Template = CatalogEntry<ConnectorDefinition>;

/** Connectors that ship with the product, as texts to begin with. */
@Injectable()
export class TemplatesService {
  private loaded?: Promise<Template[]>;

  async list(filter: ConnectorTemplateQuery): Promise<ConnectorTemplateDto[]> {
    return (await this.templates()).flatMap(({ source, body }) => {
      const facts = connectorFacts(body);
      return fits(facts, filter) ? [templateOf(source, body, facts)] : [];
    });
  }

  /** The text for a new connector. `imported`: its owner confirms the places of its secret by hand. Throws `template_not_found`. */
  async textFor({ template, id, name }: FromTemplateDto, imported: boolean): Promise<string> {
    const templates = await this.templates();
    const found = templates.find(({ body }) => body.id === template);
    if (found === undefined) {
      const known = templates.map(({ body }) => body.id);
      throw notFound('template', template, known, 'GET /connectors/templates lists them.');
    }
    return templateText(found.source, { id, name, imported });
  }

  /** The catalogue was checked when the process started; it does not change while it runs. */
  private templates(): Promise<Template[]> {
    this.loaded ??= loadCatalog(catalogDirectory()).then(({ connectors }) => connectors);
    return this.loaded;
  }
}

function fits(facts: ConnectorFacts, { tag, category, requires_auth: secret }: ConnectorTemplateQuery): boolean {
  return (
    (tag === undefined || facts.tags.includes(tag)) &&
    (category === undefined || facts.category === category) &&
    (secret === undefined || facts.requires_auth === secret)
  );
}

function templateOf(source: string, body: ConnectorDefinition, facts: ConnectorFacts): ConnectorTemplateDto {
  const { icon, category, ...rest } = facts;
  return {
    template: body.id,
    name: body.name,
    type: body.type,
    endpoints: Object.keys(body.endpoints),
    about_endpoints: endpointFacts(source, body),
    source,
    ...rest,
    ...withoutNulls({ description: body.description ?? null, retired: body.retired ?? null, icon, category }),
  };
}
