import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { IsBoolean, IsObject, IsUUID } from 'class-validator';
import type { Json, JsonObject } from '../../../core/base/json';
import type { ErrorCategory } from '../../../core/errors/app-error';
import { IsOptional, IsText } from '../../http/fields';
import { FieldDto } from '../../shared/contract.dto';
import { ConnectorSourceDto } from './connector.dto';

export class TestEndpointDto {
  @ApiProperty({ example: 'candidates', description: 'Name of the endpoint.' })
  @IsText(63, 1)
  endpoint!: string;

  @ApiPropertyOptional({
    example: { party: 'DEM' },
    type: 'object',
    additionalProperties: true,
    description: 'As for a step of a playbook.',
  })
  @IsOptional()
  @IsObject()
  inputs?: JsonObject;

  @ApiPropertyOptional({ default: false, description: 'Call it although it may change something outside.' })
  @IsOptional()
  @IsBoolean()
  allow_effects?: boolean;
}

export class TestSavedDto extends TestEndpointDto {
  @ApiPropertyOptional({
    format: 'uuid',
    description:
      'A profile of yours that uses the connector: the call is made as its binding says (addresses, secrets, limits, allowed endpoints). Left out: as the connector is.',
  })
  @IsOptional()
  @IsUUID('all')
  profile_id?: string;
}

export class TestConnectorDto extends IntersectionType(ConnectorSourceDto, TestEndpointDto) {}

export class TestRequestDto {
  @ApiProperty({ example: 'GET' })
  method!: string;

  @ApiProperty()
  url!: string;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  headers!: Record<string, string>;

  @ApiPropertyOptional({ description: 'Its first 4 KB.' })
  body?: string;
}

export class TestTimingDto {
  @ApiProperty({ type: 'integer', description: 'Milliseconds of the whole call.' })
  total_ms!: number;

  @ApiProperty({ type: 'integer', description: 'Milliseconds spent waiting for the source.' })
  source_ms!: number;
}

export class TestSchemaDto {
  @ApiProperty({ enum: ['record_set', 'object', 'scalar'] })
  type!: string;

  @ApiProperty({ type: [FieldDto] })
  fields!: FieldDto[];

  @ApiProperty({ type: [FieldDto] })
  metadata_fields!: FieldDto[];
}

export class TestMissingDto {
  @ApiProperty()
  field!: string;

  @ApiProperty({ description: 'Where the mapping looks for it.' })
  path!: string;

  @ApiProperty({ type: 'integer', description: 'Records without it.' })
  records!: number;

  @ApiProperty({ description: 'No record has it: the path is likely to be wrong.' })
  everywhere!: boolean;
}

export class TestGroupDto {
  @ApiProperty({ example: 'officers' })
  name!: string;

  @ApiProperty({ type: 'integer', description: 'Rows of the whole result.' })
  count!: number;

  @ApiProperty({ type: [String], description: 'Fields of its rows.' })
  fields!: string[];

  @ApiProperty({ type: 'array', items: {}, description: 'The first 20 rows, as many as fit; the first one always.' })
  records!: Json[];
}

export class TestLeftOutDto {
  @ApiProperty({ example: 'metadata.files', description: '`records`, `groups.<name>` or `metadata.<field>`.' })
  part!: string;

  @ApiProperty({ type: 'integer', description: 'Rows that are shown.' })
  shown!: number;

  @ApiPropertyOptional({ type: 'integer', description: 'Number of all rows; of a record, of its fields.' })
  of?: number;
}

export class TestFailureDto {
  @ApiProperty({ example: 'upstream_unavailable' })
  code!: string;

  @ApiProperty()
  message!: string;

  @ApiProperty({ type: String, example: 'upstream' })
  category!: ErrorCategory;

  @ApiProperty()
  retryable!: boolean;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  details?: JsonObject;
}

export class ConnectorTestReportDto {
  @ApiProperty({ description: 'The source answered and its answer could be read.' })
  ok!: boolean;

  @ApiProperty({ enum: ['none', 'idempotent', 'keyed', 'unsafe'] })
  effect!: string;

  @ApiPropertyOptional({ type: TestRequestDto, description: 'The last request that was sent, with secrets masked.' })
  request?: TestRequestDto;

  @ApiProperty({ type: 'integer', description: 'Requests and statements that were sent: pages and attempts.' })
  requests!: number;

  @ApiPropertyOptional({ type: 'integer', description: 'HTTP status of the last answer.' })
  status?: number;

  @ApiProperty({ type: TestTimingDto })
  timing!: TestTimingDto;

  @ApiPropertyOptional({ description: 'The last answer as it came: its first 4 KB, secrets masked.' })
  excerpt?: string;

  @ApiProperty({
    type: 'array',
    items: {},
    description: 'The first 20 records after the mapping, as many as fit; the first one always. Each is whole.',
  })
  records!: Json[];

  @ApiProperty({ type: 'integer', description: 'Records of the whole result.' })
  count!: number;

  @ApiPropertyOptional({
    type: [TestGroupDto],
    description: 'Lists that files are read into beside their own records, also those without a row.',
  })
  groups?: TestGroupDto[];

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'Fields of the result beside its records.' })
  metadata!: JsonObject;

  @ApiProperty({ type: [TestLeftOutDto], description: 'Parts of the result that are not shown here.' })
  left_out!: TestLeftOutDto[];

  @ApiPropertyOptional({ type: TestSchemaDto, description: 'Shape of the records, ready for `output_schema`.' })
  schema?: TestSchemaDto;

  @ApiProperty({ type: [TestMissingDto], description: 'Mapped fields that records do not have.' })
  missing!: TestMissingDto[];

  @ApiPropertyOptional({ type: TestFailureDto, description: 'What the step of a run would fail with.' })
  error?: TestFailureDto;
}
