import { Injectable } from '@nestjs/common';
import type { ConnectorDefinition } from '../../core/connector/types';
import type { ProfileTemplate } from '../../core/profile/types';
import { catalogDirectory } from '../../infra/catalog/catalog-directory';
import type { Catalog } from '../../infra/catalog/compiled-catalog';
import { loadCatalog } from '../catalog/load-catalog';
import type { Sql } from '../../infra/db/database';
import { ConnectorsStore, PlaybooksStore } from '../../infra/db/stores/definitions.store';
import { notFound } from '../../infra/db/stores/not-found';
import { ProfileConnectorsStore } from '../../infra/db/stores/profile-connectors.store';
import { ProfileSkillsStore } from '../../infra/db/stores/profile-skills.store';
import type { ProfileRow } from '../../infra/db/stores/profile-types';
import { ProfilesStore } from '../../infra/db/stores/profiles.store';
import type { CallerInfo } from '../http/caller';
import { versioned, type VersionedBody } from '../http/etag';
import type { Once } from '../http/idempotency/once';
import { newConnector, newPlaybook } from '../shared/new-definition';
import { withoutNulls } from '../shared/views';
import type { ProfileDto } from './dto/profile.dto';
import type { ProfileFromTemplateDto, ProfileTemplateDto } from './dto/profile-template.dto';
import { profileView } from './profile-view';

/** Agent profiles that ship with the product, as a beginning of one's own. */
@Injectable()
export class ProfileTemplatesService {
  private loaded?: Promise<Catalog>;

  constructor(
    private readonly profiles: ProfilesStore,
    private readonly connectors: ProfileConnectorsStore,
    private readonly skills: ProfileSkillsStore,
    private readonly connectorTexts: ConnectorsStore<ConnectorDefinition>,
    private readonly playbookTexts: PlaybooksStore,
  ) {}

  async list(): Promise<ProfileTemplateDto[]> {
    return (await this.catalog()).profiles.map(({ source, body }) => ({
      template: body.id,
      name: body.name,
      connectors: body.connectors.map(({ connector }) => connector),
      skills: body.skills.map((skill) => ('playbook' in skill ? skill.playbook : skill.built_in)),
      source,
      ...withoutNulls({ description: body.description ?? null, icon: body.icon ?? null }),
    }));
  }

  /**
   * Throws `template_not_found`, `handle_taken`, and `connector_not_found` or `playbook_not_found` for what the caller has
   * removed from their lists.
   */
  async create(caller: CallerInfo, body: ProfileFromTemplateDto, once: Once): Promise<VersionedBody<ProfileDto>> {
    const template = await this.require(body.template);
    await this.bringParts(caller.ownerId, template);
    return once.tx(async (sql) => {
      const row = await this.make(sql, caller.ownerId, {
        ...template,
        id: body.handle ?? template.id,
        name: body.name ?? template.name,
      });
      return versioned(profileView(row, caller.ownerId), row);
    });
  }

  /** An account that is older than a template lacks some of its parts. Parts that a person changed or removed stay so. */
  private async bringParts(ownerId: string, template: ProfileTemplate): Promise<void> {
    const { connectors, playbooks } = await this.catalog();
    const sources = new Set(template.connectors.map(({ connector }) => connector));
    const skills = new Set(template.skills.flatMap((skill) => ('playbook' in skill ? [skill.playbook] : [])));
    for (const entry of connectors.filter(({ body }) => sources.has(body.id))) {
      await this.connectorTexts.saveCatalog(ownerId, newConnector(entry.source, entry.body));
    }
    for (const entry of playbooks.filter(({ body }) => skills.has(body.playbook.id))) {
      await this.playbookTexts.saveCatalog(ownerId, newPlaybook(entry.source, entry.body));
    }
  }

  private async make(sql: Sql, ownerId: string, template: ProfileTemplate): Promise<ProfileRow> {
    const { id: handle, connectors, skills, ...fields } = template;
    const row = await this.profiles.create(ownerId, { ...fields, handle }, sql);
    for (const { connector, ...binding } of connectors) {
      await this.connectors.bind(ownerId, row.id, connector, binding, sql);
    }
    for (const skill of skills) {
      await this.skills.bind(ownerId, row.id, skill, sql);
    }
    return row;
  }

  private async require(name: string): Promise<ProfileTemplate> {
    const { profiles } = await this.catalog();
    const found = profiles.find(({ body }) => body.id === name);
    if (found === undefined) {
      const known = profiles.map(({ body }) => body.id);
      throw notFound('template', name, known, 'GET /profiles/templates lists them.');
    }
    return found.body;
  }

  /** The catalogue was checked when the process started; it does not change while it runs. */
  private catalog(): Promise<Catalog> {
    this.loaded ??= loadCatalog(catalogDirectory());
    return this.loaded;
  }
}
