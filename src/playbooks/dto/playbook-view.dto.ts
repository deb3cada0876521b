import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ProblemItemDto } from '../../http/problem.dto';

export class PlaybookSummaryDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  slug!: string;

  @ApiProperty()
  name!: string;

  @ApiPropertyOptional()
  description?: string;

  @ApiPropertyOptional()
  category?: string;

  @ApiProperty({ enum: ['user', 'catalog'] })
  origin!: string;

  @ApiProperty({ type: 'integer' })
  latest_version_no!: number;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
}

export class PlaybookListDto {
  @ApiProperty({ type: [PlaybookSummaryDto] })
  items!: PlaybookSummaryDto[];

  @ApiPropertyOptional()
  next_cursor?: string;
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

export class PlaybookSavedDto extends PlaybookDto {
  @ApiProperty({ description: 'False: this very text was already a version.' })
  created!: boolean;

  @ApiProperty({ type: [ProblemItemDto], description: 'What was noticed but does not stop it.' })
  warnings!: ProblemItemDto[];
}
