import { ApiProperty } from '@nestjs/swagger';

/** A missing part of a result. */
export class GapDto {
  @ApiProperty({ example: 'not_read' })
  code!: string;

  @ApiProperty({ example: '2 of 8 files not read' })
  message!: string;
}

/** Missing data that a request or a report depends on. */
export class ShortfallDto extends GapDto {
  @ApiProperty({ description: 'Path of the step.', example: 'read' })
  step!: string;

  @ApiProperty({ enum: ['failed', 'skipped', 'incomplete'] })
  kind!: string;
}
