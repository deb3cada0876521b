import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined } from 'class-validator';
import { ProblemItemDto } from '../../http/problem.dto';
import { FieldDto } from '../../shared/contract.dto';
import { IsDefinitionSource } from '../../shared/definition-source';

export class ConnectorSourceDto {
  @ApiProperty({
    oneOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }],
    description: 'YAML or JSON text, or the connector as a JSON object. At most 1 MB.',
  })
  @IsDefined()
  @IsDefinitionSource()
  source!: string | Record<string, unknown>;
}

export class ConnectorSummaryDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  slug!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ example: 'rest_api' })
  type!: string;

  @ApiPropertyOptional()
  description?: string;

  @ApiProperty({ enum: ['user', 'catalog'] })
  origin!: string;

  @ApiProperty({ type: 'integer' })
  latest_version_no!: number;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
}

export class ConnectorListDto {
  @ApiProperty({ type: [ConnectorSummaryDto] })
  items!: ConnectorSummaryDto[];

  @ApiPropertyOptional()
  next_cursor?: string;
}

export class ConnectorDto extends ConnectorSummaryDto {
  @ApiProperty({ format: 'uuid' })
  version_id!: string;

  @ApiProperty()
  content_hash!: string;

  @ApiProperty({ enum: ['yaml', 'json'] })
  source_format!: string;

  @ApiProperty()
  source!: string;
}

export class ConnectorSavedDto extends ConnectorDto {
  @ApiProperty({ description: 'False: this very text was already a version.' })
  created!: boolean;

  @ApiProperty({ type: [ProblemItemDto] })
  warnings!: ProblemItemDto[];
}

export class EndpointDto {
  @ApiProperty()
  name!: string;

  @ApiPropertyOptional()
  description?: string;

  @ApiProperty({ enum: ['none', 'idempotent', 'keyed', 'unsafe'], description: 'What a call does outside.' })
  effect!: string;

  @ApiProperty({ type: [FieldDto] })
  inputs!: FieldDto[];

  @ApiProperty({ type: [FieldDto] })
  outputs!: FieldDto[];
}

export class ConnectorSchemaDto {
  @ApiProperty({ description: 'Slug.' })
  connector!: string;

  @ApiProperty({ example: 'rest_api' })
  type!: string;

  @ApiProperty({ type: [EndpointDto] })
  endpoints!: EndpointDto[];
}
