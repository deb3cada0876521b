import { Inject, Injectable } from '@nestjs/common';
import type { ConnectorDefinition } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import type { Problem } from '../../core/errors/problem';
import type { Plan } from '../../core/playbook/types';
import { readPlaybook } from '../../core/playbook/parse-playbook';
import { buildStepGraph, type StepGraph } from '../../core/validate/step-graph';
import { validateDraft, type ValidationResult } from '../../core/validate/validate-playbook';
import { ConnectorsStore, PlaybooksStore } from '../../infra/db/stores/definitions.store';
import { ApprovalActsStore } from '../../infra/db/stores/approval-acts.store';
import { TeamsStore } from '../../infra/db/stores/teams.store';
import { checkSeen, type SeenVersion } from '../../infra/db/row-version';
import type { NewDefinition, PlaybookFacts, SavedDefinition, VersionRow } from '../../infra/db/stores/definition-types';
import type { CallerInfo } from '../http/caller';
import { versioned, type VersionedBody } from '../http/etag';
import type { Once } from '../http/idempotency/once';
import { sourceText, type Source } from '../shared/definition-source';
import { newPlaybook } from '../shared/new-definition';
import { pageBody } from '../shared/views';
import type { ValidationReportDto } from './dto/definition.dto';
import type { PlaybookListQuery } from './dto/playbook-list.dto';
import type { PlaybookDto, PlaybookListDto, PlaybookSavedDto } from './dto/playbook-view.dto';
import { catalogueFor, type CatalogueStores } from './owner-catalogue';
import { playbookDetail, playbookSummary } from './playbook-view';
import type { ApiSettings } from '../app/settings';
import { SETTINGS } from '../app/tokens';

@Injectable()
export class PlaybooksService {
  private readonly stores: CatalogueStores;

  constructor(
    private readonly playbooks: PlaybooksStore,
    connectors: ConnectorsStore<ConnectorDefinition>,
    teams: TeamsStore,
    people: ApprovalActsStore,
    @Inject(SETTINGS) settings: ApiSettings,
  ) {
    this.stores = { connectors, playbooks, teams, people, models: settings.models };
  }

  /** Creates the playbook, or a new version of it. Throws `invalid_playbook` with every problem. */
  async save(caller: CallerInfo, source: Source, once: Once): Promise<VersionedBody<PlaybookSavedDto>> {
    const { definition, warnings } = await this.read(caller, source);
    return once.tx(async (sql) => savedOf(await this.playbooks.save(caller.ownerId, definition, sql), warnings));
  }

  /** Adds a version to an existing playbook. Throws as `save`, and as the store's `replace`. */
  async replace(
    caller: CallerInfo,
    idOrSlug: string,
    source: Source,
    seen: SeenVersion,
  ): Promise<VersionedBody<PlaybookSavedDto>> {
    // An early check, before the text is read; the one that counts is made under the row's lock.
    checkSeen(await this.playbooks.require(caller.ownerId, idOrSlug), seen);
    const { definition, warnings } = await this.read(caller, source);
    return savedOf(await this.playbooks.replace(caller.ownerId, idOrSlug, definition, seen), warnings);
  }

  /** Runs keep the version that they began with. */
  async remove(caller: CallerInfo, idOrSlug: string, seen: SeenVersion): Promise<void> {
    await this.playbooks.remove(caller.ownerId, idOrSlug, seen);
  }

  /** Reports problems of the text in the answer; it never refuses the text itself. */
  async validate(caller: CallerInfo, source: Source): Promise<ValidationReportDto> {
    const { valid, problems, steps } = await this.check(caller, sourceText(source));
    return { valid, problems, steps };
  }

  /**
   * Checks the latest version: rules, or its connectors, may have changed since it was saved. Throws
   * `playbook_not_found`.
   */
  async validateSaved(caller: CallerInfo, idOrSlug: string): Promise<ValidationReportDto> {
    const { source } = await this.playbooks.resolve(caller.ownerId, idOrSlug);
    return this.validate(caller, source);
  }

  async list(caller: CallerInfo, query: PlaybookListQuery): Promise<PlaybookListDto> {
    return pageBody(await this.playbooks.list(caller.ownerId, query), playbookSummary);
  }

  /** Throws `playbook_not_found`; so do the others. */
  async get(caller: CallerInfo, idOrSlug: string): Promise<VersionedBody<PlaybookDto>> {
    const row = await this.playbooks.require(caller.ownerId, idOrSlug);
    const version = (await this.playbooks.version(caller.ownerId, row.latest_version_id)) as VersionRow<Plan>;
    return versioned(playbookDetail(row, version), row);
  }

  /** Graph of the latest version, or of the one named. Throws also `version_not_found`. */
  async graph(caller: CallerInfo, idOrSlug: string, version: string | undefined): Promise<StepGraph> {
    const { body } = await this.playbooks.resolve(caller.ownerId, idOrSlug, version);
    return buildStepGraph(body, await catalogueFor(this.stores, caller.ownerId, body));
  }

  private async check(caller: CallerInfo, text: string): Promise<ValidationResult> {
    const read = readPlaybook(text);
    return validateDraft(read, await catalogueFor(this.stores, caller.ownerId, read.draft?.plan));
  }

  private async read(
    caller: CallerInfo,
    source: Source,
  ): Promise<{ definition: NewDefinition<Plan, PlaybookFacts>; warnings: Problem[] }> {
    const text = sourceText(source);
    const { plan, problems } = await this.check(caller, text);
    if (plan === undefined) {
      throw new AppError('invalid_playbook', 'The playbook has problems; each says where and what to do.', {
        category: 'validation',
        problems,
      });
    }
    return { definition: newPlaybook(text, plan), warnings: problems };
  }
}

function savedOf(saved: SavedDefinition<Plan, PlaybookFacts>, warnings: Problem[]): VersionedBody<PlaybookSavedDto> {
  const { definition, version, new_version: created } = saved;
  return versioned({ ...playbookDetail(definition, version), created, warnings }, definition);
}
