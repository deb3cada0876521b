import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, Matches } from 'class-validator';
import { TRIGGER_TYPES } from '../../../core/playbook/types';
import { IsOptional, IsText } from '../../http/fields';
import { DefinitionListQuery } from '../../shared/definition-list.dto';

export class PlaybookListQuery extends DefinitionListQuery {
  @ApiPropertyOptional({ description: 'Only those that name this connector in `required_connectors`.' })
  @IsOptional()
  @IsText(100, 1)
  @Matches(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, { message: '$property must be the slug or the type of a connector' })
  connector?: string;

  @ApiPropertyOptional({ enum: TRIGGER_TYPES, description: 'Only those with a trigger of this type.' })
  @IsOptional()
  @IsIn(TRIGGER_TYPES)
  trigger?: (typeof TRIGGER_TYPES)[number];
}
