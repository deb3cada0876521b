import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { FieldDto } from '../../shared/contract.dto';
import { DefinitionSourceDto, DefinitionSummaryDto, SavedDto } from '../../shared/definition.dto';
import { ListDto } from '../../shared/list.dto';

export class ConnectorSourceDto extends DefinitionSourceDto {}

export class ConnectorSummaryDto extends DefinitionSummaryDto {
  @ApiProperty({ example: 'rest_api' })
  type!: string;
}

export class ConnectorListDto extends ListDto {
  @ApiProperty({ type: [ConnectorSummaryDto] })
  items!: ConnectorSummaryDto[];
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

export class ConnectorSavedDto extends IntersectionType(ConnectorDto, SavedDto) {}

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
