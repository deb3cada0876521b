import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined } from 'class-validator';
import { ProblemItemDto } from '../http/problem.dto';
import { IsDefinitionSource } from './definition-source';

/** Rules of playbooks and connectors: people write them as texts, which are kept in versions. */
export function IsDefinition(example: string): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      oneOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }],
      description: 'YAML or JSON text, or the definition itself as a JSON object. At most 1 MB.',
      example,
    }),
    IsDefined(),
    IsDefinitionSource(),
  );
}

export class DefinitionSummaryDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  slug!: string;

  @ApiProperty()
  name!: string;

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

/** Fields of an answer to a save beside the definition. */
export class SavedDto {
  @ApiProperty({ description: 'False: this very text was already a version.' })
  created!: boolean;

  @ApiProperty({ type: [ProblemItemDto], description: 'Findings that do not prevent it.' })
  warnings!: ProblemItemDto[];
}
