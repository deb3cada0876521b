import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export class StoreHealthDto {
  @ApiProperty({ enum: ['ok', 'down'] })
  status!: 'ok' | 'down';

  @ApiPropertyOptional({ description: 'Version of the server.' })
  version?: string;

  @ApiPropertyOptional({ description: 'The youngest migration that was applied.' })
  migration?: string;
}

export class PollerDto {
  @ApiProperty()
  identity!: string;

  @ApiPropertyOptional({ format: 'date-time' })
  last_access_at?: string;
}

export class QueueDto {
  @ApiProperty()
  name!: string;

  @ApiProperty({ enum: ['workflow', 'activity'] })
  kind!: string;

  @ApiProperty({ type: [PollerDto], description: 'Workers that took work in the last minutes; none = nobody does it.' })
  pollers!: PollerDto[];

  @ApiPropertyOptional({ type: 'integer', description: 'Tasks that nobody took yet.' })
  backlog?: number;
}

export class TemporalHealthDto {
  @ApiProperty({ enum: ['ok', 'down'] })
  status!: 'ok' | 'down';

  @ApiPropertyOptional()
  version?: string;

  @ApiPropertyOptional()
  namespace?: string;

  @ApiProperty({ type: [QueueDto] })
  queues!: QueueDto[];
}

export class StoresDto {
  @ApiProperty({ type: StoreHealthDto })
  database!: StoreHealthDto;

  @ApiProperty({ type: StoreHealthDto, description: 'Where documents and large results lie.' })
  blobs!: StoreHealthDto;
}

export class SystemDto {
  @ApiProperty({ description: 'Of the product.' })
  version!: string;

  @ApiProperty()
  node!: string;

  @ApiProperty({ type: TemporalHealthDto })
  temporal!: TemporalHealthDto;

  @ApiProperty({ type: StoresDto })
  stores!: StoresDto;
}
