import { Injectable } from '@nestjs/common';
import type { ConnectorDefinition } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import type { Plan } from '../../core/playbook/types';
import { readPlaybook } from '../../core/playbook/parse-playbook';
import { buildStepGraph, type StepGraph } from '../../core/validate/step-graph';
import { validateDraft, type ValidationResult } from '../../core/validate/validate-playbook';
import { ConnectorsStore, PlaybooksStore } from '../../infra/db/stores/definitions.store';
import type { DefinitionRow, VersionRow } from '../../infra/db/stores/definition-types';
import type { CallerInfo } from '../http/caller';
import type { PageQuery } from '../http/page';
import { contentHash, formatOf, sourceText } from '../shared/definition-source';
import { orAbsent, pageBody } from '../shared/views';
import type { ValidationReportDto } from './dto/definition.dto';
import type { PlaybookDto, PlaybookListDto, PlaybookSavedDto } from './dto/playbook-view.dto';
import { catalogueFor, type DefinitionStores } from './owner-catalogue';
import { playbookDetail, playbookSummary } from './playbook-view';

@Injectable()
export class PlaybooksService {
  private readonly stores: DefinitionStores;

  constructor(
    private readonly playbooks: PlaybooksStore,
    connectors: ConnectorsStore<ConnectorDefinition>,
  ) {
    this.stores = { connectors, playbooks };
  }

  /** Creates the playbook, or a new version of it. Throws `invalid_playbook` with every problem. */
  async save(caller: CallerInfo, source: string | Record<string, unknown>): Promise<PlaybookSavedDto> {
    const text = sourceText(source);
    const { plan, problems } = await this.check(caller, text);
    if (plan === undefined) {
      throw new AppError('invalid_playbook', 'The playbook has problems; each says where and what to do.', {
        category: 'validation',
        problems,
      });
    }
    const saved = await this.playbooks.save(caller.ownerId, {
      slug: plan.playbook.id,
      name: plan.playbook.name,
      content_hash: contentHash(text),
      source_format: formatOf(text),
      source: text,
      body: plan,
      ...orAbsent({ description: plan.playbook.description ?? null, declared_version: plan.playbook.version ?? null }),
    });
    return { ...(await this.detail(caller, saved.definition)), created: saved.new_version, warnings: problems };
  }

  /** Never refuses the text itself: its problems are the answer. */
  async validate(caller: CallerInfo, source: string | Record<string, unknown>): Promise<ValidationReportDto> {
    const { valid, problems, steps } = await this.check(caller, sourceText(source));
    return { valid, problems, steps };
  }

  async list(caller: CallerInfo, query: PageQuery): Promise<PlaybookListDto> {
    return pageBody(await this.playbooks.list(caller.ownerId, query), playbookSummary);
  }

  /** Throws `playbook_not_found`; so do the others. */
  async get(caller: CallerInfo, idOrSlug: string): Promise<PlaybookDto> {
    return this.detail(caller, await this.playbooks.require(caller.ownerId, idOrSlug));
  }

  /** Of the latest version, or of the one named. Throws also `version_not_found`. */
  async graph(caller: CallerInfo, idOrSlug: string, version: string | undefined): Promise<StepGraph> {
    const { body } = await this.playbooks.resolve(caller.ownerId, idOrSlug, version);
    return buildStepGraph(body, await catalogueFor(this.stores, caller.ownerId, body));
  }

  private async check(caller: CallerInfo, text: string): Promise<ValidationResult> {
    const read = readPlaybook(text);
    return validateDraft(read, await catalogueFor(this.stores, caller.ownerId, read.draft?.plan));
  }

  private async detail(caller: CallerInfo, row: DefinitionRow): Promise<PlaybookDto> {
    const version = (await this.playbooks.version(caller.ownerId, row.latest_version_id)) as VersionRow<Plan>;
    return playbookDetail(row, version);
  }
}
