import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export class LiveDto {
  @ApiProperty({ enum: ['ok'] })
  status!: 'ok';
}

export class CheckDto {
  @ApiProperty({ enum: ['ok', 'down'] })
  status!: 'ok' | 'down';

  @ApiPropertyOptional({
    enum: ['database_unavailable', 'schema_newer', 'temporal_unavailable'],
    description: '`schema_newer`: a later version has migrated the database; this process has to be replaced.',
  })
  code?: string;

  @ApiPropertyOptional()
  detail?: string;
}

export class ReadyChecksDto {
  @ApiProperty({ type: CheckDto })
  database!: CheckDto;

  @ApiProperty({ type: CheckDto })
  temporal!: CheckDto;
}

export class ReadyDto {
  @ApiProperty({
    enum: ['ready', 'degraded', 'unavailable'],
    description: '`degraded`: runs are accepted but start later.',
  })
  status!: 'ready' | 'degraded' | 'unavailable';

  @ApiProperty({ type: ReadyChecksDto })
  checks!: ReadyChecksDto;
}
