import { Injectable } from '@nestjs/common';
import { lineHunks } from './line-diff';
import { diffPlans } from '../../core/diff/plan-diff';
import { AppError } from '../../core/errors/app-error';
import type { Plan } from '../../core/playbook/types';
import { PlaybooksStore } from '../../infra/db/stores/definitions.store';
import type { VersionRow } from '../../infra/db/stores/definition-types';
import type { CallerInfo } from '../http/caller';
import type { PageQuery } from '../http/page';
import { pageBody } from '../shared/views';
import type { DiffQuery, PlaybookDiffDto } from './dto/playbook-diff.dto';
import type { PlaybookVersionDto, VersionListDto } from './dto/playbook-view.dto';
import { versionDetail, versionSummary } from './playbook-view';

/** Versions of a playbook, and what lies between two of them. */
@Injectable()
export class PlaybookVersionsService {
  constructor(private readonly playbooks: PlaybooksStore) {}

  /** Throws `playbook_not_found`; so do the others. */
  async list(caller: CallerInfo, idOrSlug: string, query: PageQuery): Promise<VersionListDto> {
    const row = await this.playbooks.require(caller.ownerId, idOrSlug);
    return pageBody(await this.playbooks.versions(caller.ownerId, row.id, query), versionSummary);
  }

  /** Throws also `version_not_found`; so does `diff`. */
  async get(caller: CallerInfo, idOrSlug: string, version: string): Promise<PlaybookVersionDto> {
    return versionDetail(await this.playbooks.resolve(caller.ownerId, idOrSlug, version));
  }

  async diff(caller: CallerInfo, idOrSlug: string, query: DiffQuery): Promise<PlaybookDiffDto> {
    const to = await this.playbooks.resolve(caller.ownerId, idOrSlug, query.to);
    const from = await this.playbooks.resolve(caller.ownerId, idOrSlug, query.from ?? cursorBefore(to));
    return {
      from: versionSummary(from),
      to: versionSummary(to),
      ...diffPlans(from.body, to.body),
      hunks: lineHunks(from.source, to.source),
    };
  }
}

function cursorBefore(version: VersionRow<Plan>): string {
  if (version.version_no > 1) return String(version.version_no - 1);
  throw new AppError(
    'version_not_found',
    `The playbook "${version.slug}" has no version before its first one. Name the version to compare with in \`from\`.`,
    { category: 'not_found' },
  );
}
