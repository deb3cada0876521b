import { ApiExtraModels, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined } from 'class-validator';
import { IsDefinitionSource } from '../../shared/definition-source';
import { ProblemItemDto } from '../../http/problem.dto';

export class PlaybookSourceDto {
  @ApiProperty({
    oneOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }],
    description: 'YAML or JSON text, or the playbook as a JSON object. At most 1 MB.',
  })
  @IsDefined()
  @IsDefinitionSource()
  source!: string | Record<string, unknown>;
}

@ApiExtraModels(ProblemItemDto)
export class ValidationReportDto {
  @ApiProperty({ description: 'No errors; warnings may remain.' })
  valid!: boolean;

  @ApiProperty({ type: [ProblemItemDto] })
  problems!: ProblemItemDto[];
}
