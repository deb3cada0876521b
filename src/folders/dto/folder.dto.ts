import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsUUID } from 'class-validator';
import { IsNullable, IsOptional, IsText } from '../../http/fields';
import { IsSort, PageQuery } from '../../http/page';
import { ListDto } from '../../shared/list.dto';

export class FolderListQuery extends PageQuery {
  @IsSort('name', '-name')
  sort?: 'name' | '-name';

  @ApiPropertyOptional({ format: 'uuid', description: 'Folders inside this one; absent = the top ones.' })
  @IsOptional()
  @IsUUID('all')
  parent?: string;
}

export class NewFolderDto {
  @ApiProperty({ example: 'Filings of 2025' })
  @IsText(255, 1)
  name!: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Absent = at the top.' })
  @IsOptional()
  @IsUUID('all')
  parent_id?: string;
}

/** Changes of a folder: at least one of the fields. */
export class ChangeFolderDto {
  @ApiPropertyOptional({ example: 'Filings of 2025' })
  @IsOptional()
  @IsText(255, 1)
  name?: string;

  @ApiPropertyOptional({ type: String, format: 'uuid', nullable: true, description: 'null = to the top.' })
  @IsNullable()
  @IsUUID('all')
  parent_id?: string | null;
}

export class FolderDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiPropertyOptional({ format: 'uuid' })
  parent_id?: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

export class FolderListDto extends ListDto {
  @ApiProperty({ type: [FolderDto] })
  items!: FolderDto[];
}
