import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsQueryInt, IsText, IsTime } from '../../http/fields';
import { PageQuery } from '../../http/page';
import { JournalEntryDto } from '../../journal/dto/journal.dto';

export class ProfileJournalQuery extends PageQuery {
  @ApiPropertyOptional({
    description:
      'Status of the run that the entry is about. With it a page may hold fewer than `limit`; only `next_cursor` says whether it is the last.',
    example: 'complete',
  })
  @IsOptional()
  @IsText(50, 1)
  status?: string;

  @ApiPropertyOptional({
    description:
      'An entity that the entry mentions, exactly; in all of the journal where no time is given. Pages are as with `status`.',
  })
  @IsOptional()
  @IsText(500, 1)
  entity?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Not before.' })
  @IsTime()
  from?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Before.' })
  @IsTime()
  before?: string;
}

export class ProfileJournalEntryDto extends JournalEntryDto {
  @ApiProperty({ format: 'uuid', description: 'Who started the run.' })
  invoked_by!: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'The team in which it ran.' })
  team_id?: string;
}

export class ProfileJournalListDto {
  @ApiProperty({ type: [ProfileJournalEntryDto] })
  items!: ProfileJournalEntryDto[];

  @ApiPropertyOptional()
  next_cursor?: string;
}

export class JournalSummaryQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 90, default: 7 })
  @IsQueryInt(1, 90)
  days?: number;
}

export class StatusCountDto {
  @ApiPropertyOptional({ description: 'Absent: notes that are about no run.' })
  status?: string;

  @ApiProperty({ type: 'integer' })
  entries!: number;
}

export class JournalSummaryDto {
  @ApiProperty({ format: 'date-time' })
  since!: string;

  @ApiProperty({ type: 'integer' })
  entries!: number;

  @ApiProperty({ description: 'There are more: only the newest 1,000 were counted.' })
  capped!: boolean;

  @ApiProperty({ type: [StatusCountDto] })
  by_status!: StatusCountDto[];

  @ApiProperty({ type: 'integer' })
  steps_completed!: number;

  @ApiProperty({ type: 'integer' })
  entities_discovered!: number;

  @ApiProperty({ type: [ProfileJournalEntryDto], description: 'The newest five.' })
  latest!: ProfileJournalEntryDto[];
}
