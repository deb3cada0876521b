import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { TRIGGER_TYPES } from '../../../core/playbook/types';
import { DefinitionSummaryDto, SavedDto } from '../../shared/definition.dto';
import { ListDto } from '../../shared/list.dto';

export class TriggerDto {
  @ApiProperty()
  pattern!: string;

  @ApiProperty({ enum: TRIGGER_TYPES })
  type!: (typeof TRIGGER_TYPES)[number];

  @ApiProperty({ type: 'integer', description: 'Triggers with a higher priority come first.' })
  priority!: number;
}

export class PlaybookSummaryDto extends DefinitionSummaryDto {
  @ApiPropertyOptional()
  category?: string;

  @ApiProperty({ type: [String] })
  tags!: string[];

  @ApiProperty({ type: [TriggerDto], description: 'Questions that the playbook is for. They start nothing yet.' })
  triggers!: TriggerDto[];

  @ApiProperty({
    type: [String],
    description:
      'Connectors that its steps name, at any depth, and slugs or types that its author names beside them. Those of playbooks that it runs are theirs.',
  })
  required_connectors!: string[];
}

export class PlaybookListDto extends ListDto {
  @ApiProperty({ type: [PlaybookSummaryDto] })
  items!: PlaybookSummaryDto[];
}

export class VersionSummaryDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ type: 'integer' })
  version_no!: number;

  @ApiPropertyOptional({ description: 'What the author wrote as `version`.' })
  declared_version?: string;

  @ApiProperty({ description: 'SHA-256 of the source; the same text is never a second version.' })
  content_hash!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

export class VersionListDto {
  @ApiProperty({ type: [VersionSummaryDto] })
  items!: VersionSummaryDto[];

  @ApiPropertyOptional()
  next_cursor?: string;
}

export class PlaybookVersionDto extends VersionSummaryDto {
  @ApiProperty({ enum: ['yaml', 'json'] })
  source_format!: string;

  @ApiProperty()
  source!: string;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The compiled plan that runs carry out.' })
  plan!: object;
}

export class PlaybookDto extends PlaybookSummaryDto {
  @ApiProperty({ type: PlaybookVersionDto })
  version!: PlaybookVersionDto;
}

export class PlaybookSavedDto extends IntersectionType(PlaybookDto, SavedDto) {}
