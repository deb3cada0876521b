import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsText } from '../../http/fields';
import { ProblemItemDto } from '../../http/problem.dto';
import { PLAYBOOK_EXAMPLE } from '../../shared/definition-examples';
import { IsDefinition } from '../../shared/definition.dto';

export class PlaybookSourceDto {
  @IsDefinition(PLAYBOOK_EXAMPLE)
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

  @ApiPropertyOptional({
    description:
      'The step has no `on_error`, and a failure stops the run: because of this approval or effect, which depends on its result.',
  })
  stops_for?: string;
}

export class ValidationReportDto {
  @ApiProperty({ description: 'No errors; warnings may remain.' })
  valid!: boolean;

  @ApiProperty({ type: [ProblemItemDto] })
  problems!: ProblemItemDto[];

  @ApiProperty({ type: [StepResultDto], description: 'The same, step by step.' })
  steps!: StepResultDto[];
}
