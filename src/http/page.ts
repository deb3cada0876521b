import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IsOptional, IsQueryInt, IsText } from './fields';

export class CursorQuery {
  @ApiPropertyOptional({
    description: '`next_cursor` of the page before. It belongs to this list with these filters and this order.',
  })
  @IsOptional()
  @IsText(4_000)
  cursor?: string;
}

export class PageQuery extends CursorQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 200, default: 50 })
  @IsQueryInt(1, 200)
  limit?: number;
}

/** Sort orders of a list; the first is the default. `-` means descending. */
export function IsSort(...sorts: [string, ...string[]]): PropertyDecorator {
  return applyDecorators(ApiPropertyOptional({ enum: sorts, default: sorts[0] }), IsOptional(), IsIn(sorts));
}
