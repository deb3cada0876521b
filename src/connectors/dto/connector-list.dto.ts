import { IsQueryFlag } from '../../http/fields';
import { DefinitionListQuery, IsCategoryFilter, IsTagFilter } from '../../shared/definition-list.dto';

export class ConnectorListQuery extends DefinitionListQuery {
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
