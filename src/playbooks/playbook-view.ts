import type { Plan } from '../../core/playbook/types';
import type { PlaybookRow, VersionRow, VersionSummary } from '../../infra/db/stores/definition-types';
import { withoutNulls } from '../shared/views';
import type { PlaybookDto, PlaybookSummaryDto, PlaybookVersionDto, VersionSummaryDto } from './dto/playbook-view.dto';

export function playbookSummary(row: PlaybookRow): PlaybookSummaryDto {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    origin: row.origin,
    latest_version_no: row.version_no,
    created_at: row.created_at,
    updated_at: row.updated_at,
    tags: row.tags,
    triggers: row.triggers,
    required_connectors: row.required_connectors,
    ...withoutNulls({ description: row.description, category: row.kind }),
  };
}

export function versionSummary(row: VersionSummary): VersionSummaryDto {
  return {
    id: row.id,
    version_no: row.version_no,
    content_hash: row.content_hash,
    created_at: row.created_at,
    ...withoutNulls({ declared_version: row.declared_version }),
  };
}

export function playbookDetail(row: PlaybookRow, version: VersionRow<Plan>): PlaybookDto {
  return {
    ...playbookSummary(row),
    version: versionDetail(version),
  };
}

export function versionDetail(version: VersionRow<Plan>): PlaybookVersionDto {
  return {
    ...versionSummary(version),
    source_format: version.source_format,
    source: version.source,
    plan: version.body,
  };
}
