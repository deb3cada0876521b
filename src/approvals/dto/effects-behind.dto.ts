import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { DESTINATION_FORMATS, DESTINATION_TYPES, type DestinationType } from '../../../core/actions/destinations';

export class StepBehindDto {
  @ApiProperty({ description: 'Name of a step that does something outside.' })
  step!: string;

  @ApiPropertyOptional({ enum: [true], description: 'Once for each element of a list.' })
  in_each?: true;
}

export class DestinationTargetDto {
  @ApiProperty({ enum: DESTINATION_TYPES })
  type!: DestinationType;

  @ApiPropertyOptional({ description: 'As the playbook has it; words in braces are filled in when it is written.' })
  name?: string;

  @ApiPropertyOptional({ enum: DESTINATION_FORMATS, description: 'Format of a file or document.' })
  format?: (typeof DESTINATION_FORMATS)[number];
}

/** Effects that a decision permits. */
export class EffectSetDto {
  @ApiProperty({ type: [StepBehindDto], description: 'In the order of the playbook.' })
  steps!: StepBehindDto[];

  @ApiPropertyOptional({ type: 'integer', description: 'Further steps, which are not named.' })
  more?: number;

  @ApiPropertyOptional({
    enum: DESTINATION_TYPES,
    isArray: true,
    description: 'Destinations of the output, each kind once.',
  })
  destinations?: DestinationType[];

  @ApiPropertyOptional({ type: [DestinationTargetDto], description: 'Every destination by itself. Absent: not known.' })
  targets?: DestinationTargetDto[];

  @ApiPropertyOptional({
    enum: [true],
    description: 'A playbook that called this one goes on with an effect, or may.',
  })
  caller?: true;
}

/** Effects after an approval, and effects that need none. */
export class EffectsBehindDto extends EffectSetDto {
  @ApiPropertyOptional({
    type: EffectSetDto,
    description: 'Effects after a rejection. Absent: the run ends then, and no playbook that called it goes on.',
  })
  on_reject?: EffectSetDto;

  @ApiPropertyOptional({
    type: EffectSetDto,
    description:
      'Effects when nobody answers in time. Absent in the same case, and where the request has no time limit.',
  })
  on_timeout?: EffectSetDto;
}
