import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsUUID } from 'class-validator';
import type { JsonObject } from '../../../core/base/json';
import { IsOptional, IsText, IsTime } from '../../http/fields';
import { PageQuery } from '../../http/page';

const TYPES = ['new_entity', 'new_relationship', 'entity_merge', 'new_external_id', 'pattern_detected'] as const;

export class DiscoveryListQuery extends PageQuery {
  @ApiPropertyOptional({ format: 'uuid' })
  @IsOptional()
  @IsUUID('all')
  run?: string;

  @ApiPropertyOptional({ format: 'uuid' })
  @IsOptional()
  @IsUUID('all')
  profile?: string;

  @ApiPropertyOptional({ enum: TYPES })
  @IsOptional()
  @IsIn(TYPES)
  type?: string;

  @ApiPropertyOptional({ example: 'organization' })
  @IsOptional()
  @IsText(50, 1)
  entity_type?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Not before.' })
  @IsTime()
  from?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Before.' })
  @IsTime()
  before?: string;
}

export class DiscoveryDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  runId!: string;

  @ApiPropertyOptional({ format: 'uuid' })
  agent_profile_id?: string;

  @ApiProperty({ enum: TYPES })
  discovery_type!: string;

  @ApiPropertyOptional()
  entity_name?: string;

  @ApiPropertyOptional()
  entity_type?: string;

  @ApiPropertyOptional()
  entity_id?: string;

  @ApiPropertyOptional()
  relationship_type?: string;

  @ApiPropertyOptional()
  related_entity_name?: string;

  @ApiPropertyOptional()
  source_connector?: string;

  @ApiPropertyOptional()
  source_endpoint?: string;

  @ApiPropertyOptional({ type: 'number' })
  confidence?: number;

  @ApiProperty({ type: 'object', additionalProperties: true })
  details!: JsonObject;

  @ApiProperty({ format: 'date-time' })
  discovered_at!: string;
}

export class DiscoveryListDto {
  @ApiProperty({ type: [DiscoveryDto] })
  items!: DiscoveryDto[];

  @ApiPropertyOptional()
  next_cursor?: string;
}

export class DiscoveryStatsQuery {
  @ApiPropertyOptional({ format: 'date-time', description: 'Not before; by itself 30 days before the end.' })
  @IsTime()
  from?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Before; by itself now. At most 366 days after `from`.' })
  @IsTime()
  before?: string;
}

export class DiscoveryCountDto {
  @ApiProperty()
  key!: string;

  @ApiProperty({ type: 'integer' })
  count!: number;
}

export class DiscoveryStatsDto {
  @ApiProperty({ format: 'date-time' })
  from!: string;

  @ApiProperty({ format: 'date-time' })
  before!: string;

  @ApiProperty({ type: 'integer' })
  total!: number;

  @ApiProperty({ type: [DiscoveryCountDto] })
  by_type!: DiscoveryCountDto[];

  @ApiProperty({ type: [DiscoveryCountDto] })
  by_entity_type!: DiscoveryCountDto[];

  @ApiProperty({ type: [DiscoveryCountDto] })
  by_source!: DiscoveryCountDto[];
}
