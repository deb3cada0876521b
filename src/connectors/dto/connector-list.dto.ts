import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { CONNECTOR_TYPES, type ConnectorType } from '../../../core/connector/types';
import { IsOptional, IsQueryFlag } from '../../http/fields';
import { DefinitionListQuery, IsCategoryFilter, IsTagFilter } from '../../shared/definition-list.dto';

export class ConnectorListQuery extends DefinitionListQuery {
  @ApiPropertyOptional({ enum: CONNECTOR_TYPES })
  @IsOptional()
  @IsIn(CONNECTOR_TYPES)
  type?: ConnectorType;

  @IsQueryFlag('Whether a secret has to be stored before it can be used.')
  requires_auth?: boolean;
}

export class ConnectorTemplateQuery {
  @IsTagFilter()
  tag?: string;

  @IsCategoryFilter()
  category?: string;

  @IsQueryFlag('Whether a secret has to be stored before it can be used.')
  requires_auth?: boolean;
}
