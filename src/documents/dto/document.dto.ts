import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined, IsUUID } from 'class-validator';
import { IsNullable, IsOptional, IsText } from '../../http/fields';
import { IsSort, PageQuery } from '../../http/page';
import { ListDto } from '../../shared/list.dto';

export class UploadQuery {
  @ApiPropertyOptional({
    description: 'File name; its ending decides the media type. A form may give it instead.',
    example: 'filing.xml',
  })
  @IsOptional()
  @IsText(255, 1)
  name?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Folder to put it into.' })
  @IsOptional()
  @IsUUID('all')
  folder?: string;
}

/** The form of an upload: one file, and what else the query may say. */
export class UploadFormDto {
  @ApiProperty({ type: 'string', format: 'binary', description: 'One file.' })
  @IsDefined({ message: 'The form has no file: send it in the field `file`' })
  file!: unknown;

  @ApiPropertyOptional({ description: 'Another name than the one that the file is sent with.', example: 'filing.xml' })
  @IsOptional()
  @IsText(255, 1)
  name?: string;

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

/** Changes of a document: at least one of the fields. */
export class ChangeDocumentDto {
  @ApiPropertyOptional({ example: 'filing-2025.xml', description: 'The media type stays what it was.' })
  @IsOptional()
  @IsText(255, 1)
  name?: string;

  @ApiPropertyOptional({ type: String, format: 'uuid', nullable: true, description: 'null = in no folder.' })
  @IsNullable()
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
