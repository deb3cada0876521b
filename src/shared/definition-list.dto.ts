import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { MAX_CATEGORY, MAX_TAG, TAG } from '../../core/base/tags';
import { IsOptional, IsText } from '../http/fields';
import { IsSort, PageQuery } from '../http/page';

/** A tag to filter by. */
export function IsTagFilter(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ pattern: TAG.pattern.source, maxLength: MAX_TAG, description: 'Only those with this tag.' }),
    IsOptional(),
    IsText(MAX_TAG, 1),
    Matches(TAG.pattern, { message: `$property must be one tag: ${TAG.hint}` }),
  );
}

/** A category to filter by. */
export function IsCategoryFilter(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ description: 'Only those of this category, as the author wrote it.' }),
    IsOptional(),
    IsText(MAX_CATEGORY, 1),
  );
}

/** Query of the lists of playbooks and connectors. */
export class DefinitionListQuery extends PageQuery {
  @IsSort('-created_at', 'created_at', 'name', '-name')
  sort?: '-created_at' | 'created_at' | 'name' | '-name';

  @IsTagFilter()
  tag?: string;

  @IsCategoryFilter()
  category?: string;
}
