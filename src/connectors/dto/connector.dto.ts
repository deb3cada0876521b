import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { FieldDto } from '../../shared/contract.dto';
import { IsDefinition, DefinitionSummaryDto, SavedDto } from '../../shared/definition.dto';
import { CONNECTOR_EXAMPLE } from '../../shared/definition-examples';
import { ListDto } from '../../shared/list.dto';

export class ConnectorSourceDto {
  @IsDefinition(CONNECTOR_EXAMPLE)
  source!: string | Record<string, unknown>;
}

export class AuthFieldDto {
  @ApiProperty({ example: 'api_key' })
  name!: string;

  @ApiProperty({ example: 'API key' })
  label!: string;

  @ApiProperty({ enum: ['password', 'connection'] })
  type!: 'password' | 'connection';

  @ApiPropertyOptional({ description: 'Name that the secret is stored under.', example: 'FEC_API_KEY' })
  secret?: string;

  @ApiPropertyOptional({ description: 'Name of a stored connection.' })
  connection?: string;
}

/** Description of a connector; templates have the same. */
export class ConnectorAboutDto {
  @ApiPropertyOptional({ description: 'An emoji, or the name of an icon.' })
  icon?: string;

  @ApiPropertyOptional({ example: 'government' })
  category?: string;

  @ApiProperty({ type: [String] })
  tags!: string[];

  @ApiProperty({ description: 'Whether a secret has to be stored before it can be used.' })
  requires_auth!: boolean;

  @ApiProperty({
    type: [AuthFieldDto],
    description: 'Secrets that have to be stored, as the authentication of its connection names them.',
  })
  auth_fields!: AuthFieldDto[];
}

export class ConnectorSummaryDto extends IntersectionType(DefinitionSummaryDto, ConnectorAboutDto) {
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
