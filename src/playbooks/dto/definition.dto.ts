import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined, IsOptional } from 'class-validator';
import { IsText } from '../../http/fields';
import { ProblemItemDto } from '../../http/problem.dto';
import { IsDefinitionSource } from '../../shared/definition-source';

export class PlaybookSourceDto {
  @ApiProperty({
    oneOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }],
    description: 'YAML or JSON text, or the playbook as a JSON object. At most 1 MB.',
  })
  @IsDefined()
  @IsDefinitionSource()
  source!: string | Record<string, unknown>;
}

export class GraphQuery {
  @ApiPropertyOptional({ description: 'Version number, or the version that the author wrote; absent = the latest.' })
  @IsOptional()
  @IsText(100, 1)
  version?: string;
}

export class StepFindingDto {
  @ApiProperty()
  field!: string;

  @ApiPropertyOptional({ description: 'Code, of an error.' })
  error_type?: string;

  @ApiPropertyOptional({ description: 'Code, of a warning.' })
  warning_type?: string;

  @ApiProperty()
  message!: string;

  @ApiPropertyOptional()
  suggested_fix?: string;
}

export class StepResultDto {
  @ApiProperty()
  step_name!: string;

  @ApiProperty()
  is_valid!: boolean;

  @ApiProperty({ type: [StepFindingDto] })
  errors!: StepFindingDto[];

  @ApiProperty({ type: [StepFindingDto] })
  warnings!: StepFindingDto[];
}

export class ValidationReportDto {
  @ApiProperty({ description: 'No errors; warnings may remain.' })
  valid!: boolean;

  @ApiProperty({ type: [ProblemItemDto] })
  problems!: ProblemItemDto[];

  @ApiProperty({ type: [StepResultDto], description: 'The same, step by step.' })
  steps!: StepResultDto[];
}
