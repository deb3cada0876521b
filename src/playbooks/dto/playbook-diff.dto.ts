import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Json } from '../../../core/base/json';
import { ApiAnyJson } from '../../http/any-json';
import { IsOptional, IsText } from '../../http/fields';
import { VersionSummaryDto } from './playbook-view.dto';

export class DiffQuery {
  @ApiPropertyOptional({
    description: 'Version number, or the version that the author wrote; absent = the one before `to`.',
  })
  @IsOptional()
  @IsText(100, 1)
  from?: string;

  @ApiPropertyOptional({ description: 'Absent = the latest.' })
  @IsOptional()
  @IsText(100, 1)
  to?: string;
}

export class FieldChangeDto {
  @ApiProperty()
  field!: string;

  @ApiAnyJson('Absent: it was not there.')
  from?: Json;

  @ApiAnyJson('Absent: it is not there any more.')
  to?: Json;
}

export class StepPlaceDto {
  @ApiProperty()
  step!: string;

  @ApiProperty()
  kind!: string;

  @ApiPropertyOptional({ description: 'Step that it lies inside of.' })
  parent?: string;
}

export class StepChangeDto extends StepPlaceDto {
  @ApiProperty({ type: [FieldChangeDto] })
  fields!: FieldChangeDto[];
}

export class DiffLineDto {
  @ApiProperty({ enum: [' ', '-', '+'] })
  op!: ' ' | '-' | '+';

  @ApiProperty()
  text!: string;
}

export class DiffHunkDto {
  @ApiProperty({ type: 'integer' })
  from_start!: number;

  @ApiProperty({ type: 'integer' })
  from_lines!: number;

  @ApiProperty({ type: 'integer' })
  to_start!: number;

  @ApiProperty({ type: 'integer' })
  to_lines!: number;

  @ApiProperty({ type: [DiffLineDto] })
  lines!: DiffLineDto[];
}

export class PlaybookDiffDto {
  @ApiProperty({ type: VersionSummaryDto })
  from!: VersionSummaryDto;

  @ApiProperty({ type: VersionSummaryDto })
  to!: VersionSummaryDto;

  @ApiProperty({ type: [StepPlaceDto], description: 'Steps are known by their names.' })
  added!: StepPlaceDto[];

  @ApiProperty({ type: [StepPlaceDto] })
  removed!: StepPlaceDto[];

  @ApiProperty({ type: [StepChangeDto] })
  changed!: StepChangeDto[];

  @ApiProperty({ type: [StepPlaceDto], description: 'Inside of another step now, or in another order.' })
  moved!: StepPlaceDto[];

  @ApiProperty({ type: [FieldChangeDto], description: 'Of the playbook itself: inputs, output, approval policy...' })
  settings!: FieldChangeDto[];

  @ApiProperty({ type: [DiffHunkDto], description: 'The texts, line by line, with three lines around each change.' })
  hunks!: DiffHunkDto[];
}
