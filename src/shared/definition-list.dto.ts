import { IsSort, PageQuery } from '../http/page';

/** Of playbooks and of connectors. */
export class DefinitionListQuery extends PageQuery {
  @IsSort('-created_at', 'created_at', 'name', '-name')
  sort?: '-created_at' | 'created_at' | 'name' | '-name';
}
