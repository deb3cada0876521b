import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import type { JsonObject } from '../../../core/base/json';
import { IsOptional, IsText } from '../../http/fields';
import { PageQuery } from '../../http/page';

const FILTER =
  'JSON list of conditions that must all hold: `[{"column": "state", "op": "eq", "value": "CA"}]`. `op`: eq, ne, lt, lte, gt, gte, contains (text), is_null, not_null. At most 10.';

export const EXPORT_FORMATS = ['csv', 'json'] as const;

export class RowsQuery extends PageQuery {
  @ApiPropertyOptional({
    description: 'Column; `-column` for descending. Absent = in the order in which rows were saved.',
  })
  @IsOptional()
  @IsText(300, 1)
  sort?: string;

  @ApiPropertyOptional({ description: FILTER })
  @IsOptional()
  @IsText(4_000, 1)
  filter?: string;
}

export class ExportQuery {
  @ApiPropertyOptional({ enum: EXPORT_FORMATS, default: 'csv' })
  @IsOptional()
  @IsIn(EXPORT_FORMATS)
  format?: (typeof EXPORT_FORMATS)[number];

  @ApiPropertyOptional({ description: FILTER })
  @IsOptional()
  @IsText(4_000, 1)
  filter?: string;
}

export class WorkspaceDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  slug!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

export class WorkspaceListDto {
  @ApiProperty({ type: [WorkspaceDto], description: 'By slug.' })
  items!: WorkspaceDto[];

  @ApiPropertyOptional()
  next_cursor?: string;
}

export class ColumnDto {
  @ApiProperty()
  name!: string;

  @ApiProperty({ enum: ['unknown', 'bigint', 'numeric', 'boolean', 'date', 'text', 'json'] })
  type!: string;
}

export class WorkspaceTableDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ type: [ColumnDto] })
  columns!: ColumnDto[];

  @ApiPropertyOptional({ description: 'Fields that make two rows the same.' })
  upsert_key?: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
}

export class WorkspaceTableListDto {
  @ApiProperty({ type: [WorkspaceTableDto], description: 'By name.' })
  items!: WorkspaceTableDto[];

  @ApiPropertyOptional()
  next_cursor?: string;
}

export class TableRowDto {
  @ApiProperty({ type: 'integer', description: 'Number of the row in its table.' })
  row_no!: number;

  @ApiPropertyOptional({ format: 'uuid', description: 'The run that saved it last.' })
  runId?: string;

  @ApiPropertyOptional()
  step?: string;

  @ApiProperty({ format: 'date-time' })
  saved_at!: string;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'By the names that the data have.' })
  values!: JsonObject;
}

export class TableRowListDto {
  @ApiProperty({ type: [TableRowDto] })
  items!: TableRowDto[];

  @ApiPropertyOptional()
  next_cursor?: string;
}
