import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsUUID } from 'class-validator';
import type { Json } from '../../../core/base/json';
import { IsOptional } from '../../http/fields';
import { IsSort, PageQuery } from '../../http/page';
import { ListDto } from '../../shared/list.dto';

export class JournalListQuery extends PageQuery {
  @IsSort('-created_at', 'created_at')
  sort?: '-created_at' | 'created_at';

  @ApiPropertyOptional({ format: 'uuid' })
  @IsOptional()
  @IsUUID('all')
  run?: string;

  @ApiPropertyOptional({ enum: ['run', 'note'] })
  @IsOptional()
  @IsIn(['run', 'note'])
  kind?: 'run' | 'note';
}

export class JournalEntryDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ enum: ['run', 'note'], description: '`run`: written automatically when a run ended.' })
  kind!: string;

  @ApiPropertyOptional({ format: 'uuid' })
  runId?: string;

  @ApiPropertyOptional()
  playbook_name?: string;

  @ApiProperty()
  summary!: string;

  @ApiProperty({ type: 'array', items: {} })
  detail_entries!: Json;

  @ApiProperty({ type: [String] })
  entities_mentioned!: string[];

  @ApiPropertyOptional()
  run_context?: string;

  @ApiPropertyOptional()
  task_status?: string;

  @ApiProperty({ type: 'integer' })
  steps_completed!: number;

  @ApiProperty({ type: 'integer' })
  entities_discovered!: number;

  @ApiProperty({ type: 'array', items: {} })
  outputs_produced!: Json;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

export class JournalListDto extends ListDto {
  @ApiProperty({ type: [JournalEntryDto] })
  items!: JournalEntryDto[];
}
