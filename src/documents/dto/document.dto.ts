import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsUUID, ValidateIf } from 'class-validator';
import { IsText } from '../../http/fields';
import { IsSort, PageQuery } from '../../http/page';
import { ListDto } from '../../shared/list.dto';

export class UploadQuery {
  @ApiProperty({ description: 'File name; its ending decides the media type.', example: 'filing.xml' })
  @IsText(255, 1)
  name!: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Folder to put it into.' })
  @IsOptional()
  @IsUUID('all')
  folder?: string;
}

export class DocumentListQuery extends PageQuery {
  @IsSort('-created_at', 'created_at')
  sort?: '-created_at' | 'created_at';

  @ApiPropertyOptional({ format: 'uuid', description: 'Only what this run made.' })
  @IsOptional()
  @IsUUID('all')
  run?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Only what lies in this folder.' })
  @IsOptional()
  @IsUUID('all')
  folder?: string;
}

/** At least one of the fields. */
export class ChangeDocumentDto {
  @ApiPropertyOptional({ description: 'The media type stays what it was.' })
  @ValidateIf((_body, value: unknown) => value !== undefined)
  @IsText(255, 1)
  name?: string;

  @ApiPropertyOptional({ type: String, format: 'uuid', nullable: true, description: 'null = in no folder.' })
  @IsOptional()
  @IsUUID('all')
  folder_id?: string | null;
}

export class DocumentLinksDto {
  @ApiProperty()
  download!: string;
}

export class DocumentDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiPropertyOptional({ format: 'uuid' })
  folder_id?: string;

  @ApiProperty()
  media_type!: string;

  @ApiProperty({ type: 'integer', description: 'Bytes.' })
  size!: number;

  @ApiProperty()
  sha256!: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'The run that made it.' })
  runId?: string;

  @ApiPropertyOptional()
  step_path?: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ type: DocumentLinksDto })
  links!: DocumentLinksDto;
}

export class DocumentListDto extends ListDto {
  @ApiProperty({ type: [DocumentDto] })
  items!: DocumentDto[];
}
