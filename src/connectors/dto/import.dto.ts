import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsString, Matches, MaxLength } from 'class-validator';
import { OPENAPI_EXAMPLE } from '../../shared/definition-examples';
import { IsOptional, IsText } from '../../http/fields';
import { ProblemItemDto } from '../../http/problem.dto';
import { IsDefinitionSource } from '../../shared/definition-source';

const SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/;
const SLUG_RULE = { message: 'id must be lower-case letters, digits and dashes' };
const MAX_SAMPLE = 1_000_000;

class DraftNamesDto {
  @ApiPropertyOptional({ description: 'Slug of the connector; absent = made from its name.', example: 'open-fec' })
  @IsOptional()
  @IsText(63, 1)
  @Matches(SLUG, SLUG_RULE)
  id?: string;

  @ApiPropertyOptional()
  @IsOptional()
  @IsText(200, 1)
  name?: string;
}

export class FromOpenapiDto extends DraftNamesDto {
  @ApiPropertyOptional({
    example: OPENAPI_EXAMPLE,
    oneOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }],
    description: 'The document: JSON up to 5 MB or YAML up to 1 MB, as text, or as a JSON object. This or `url`.',
  })
  @IsOptional()
  @IsDefinitionSource()
  source?: string | Record<string, unknown>;

  @ApiPropertyOptional({
    description: 'Where the document lies. It and what it refers to are fetched under the rules of all egress.',
  })
  @IsOptional()
  @IsText(2000, 1)
  url?: string;

  @ApiPropertyOptional({ description: 'Address of the API, when the document names none or another.' })
  @IsOptional()
  @IsText(2000, 1)
  base_url?: string;

  @ApiPropertyOptional({
    type: [String],
    description: 'Only operations with one of these ids or tags, or below one of these paths.',
    example: ['/candidates'],
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(200)
  @IsString({ each: true })
  @MaxLength(300, { each: true })
  include?: string[];
}

export class FromSampleDto extends DraftNamesDto {
  @ApiProperty({
    example: '{"results": [{"name": "Ada", "party": "DEM"}]}',
    description: 'An answer or a file: JSON, XML or CSV text, at most 1 MB.',
  })
  @IsText(MAX_SAMPLE, 1)
  sample!: string;

  @ApiPropertyOptional({ enum: ['json', 'xml', 'csv'], description: 'Absent = detected from the text.' })
  @IsOptional()
  @IsIn(['json', 'xml', 'csv'])
  format?: 'json' | 'xml' | 'csv';

  @ApiPropertyOptional({
    description:
      'Address that the sample came from: makes a `rest_api` connector. Nothing is fetched, and what looks like a key in it becomes the name of a secret.',
    example: 'https://api.example.org/v1/candidates?party=DEM',
  })
  @IsOptional()
  @IsText(2000, 1)
  url?: string;
}

export class DraftEndpointDto {
  @ApiProperty()
  name!: string;

  @ApiProperty({ example: 'GET' })
  method!: string;

  @ApiProperty()
  path!: string;

  @ApiPropertyOptional({ description: 'As the document has it.' })
  operation_id?: string;
}

class DraftDto {
  @ApiProperty({ description: 'The connector as YAML. Nothing is stored: save it with POST /connectors.' })
  source!: string;

  @ApiProperty({ description: 'The text can be saved as it is.' })
  valid!: boolean;

  @ApiProperty({
    type: [ProblemItemDto],
    description: 'Parts that could not be imported, with their places in the given document.',
  })
  problems!: ProblemItemDto[];
}

export class OpenapiDraftDto extends DraftDto {
  @ApiProperty({ type: 'integer', description: 'Operations that the document describes.' })
  operations!: number;

  @ApiProperty({ type: [DraftEndpointDto] })
  endpoints!: DraftEndpointDto[];
}

export class DraftFieldDto {
  @ApiProperty({ example: 'candidate_id' })
  field!: string;

  @ApiProperty({ description: 'Dot path, XPath or column.' })
  path!: string;

  @ApiProperty({ example: 'string' })
  type!: string;
}

export class SampleDraftDto extends DraftDto {
  @ApiProperty({ enum: ['json', 'xml', 'csv'] })
  format!: string;

  @ApiProperty({ type: 'integer', description: 'Records that the sample holds.' })
  records!: number;

  @ApiPropertyOptional({ description: 'Where the records lie: the largest list of objects.' })
  results_path?: string;

  @ApiProperty({ type: [DraftFieldDto] })
  fields!: DraftFieldDto[];
}
