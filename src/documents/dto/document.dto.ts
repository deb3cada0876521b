import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsUUID } from 'class-validator';
import { IsText } from '../../http/fields';
import { IsSort, PageQuery } from '../../http/page';
import { ListDto } from '../../shared/list.dto';

export class UploadQuery {
  @ApiProperty({ description: 'File name; its ending decides the media type.', example: 'filing.xml' })
  @IsText(255, 1)
  name!: string;
}

export class DocumentListQuery extends PageQuery {
  @IsSort('-created_at', 'created_at')
  sort?: '-created_at' | 'created_at';

  @ApiPropertyOptional({ format: 'uuid', description: 'Only what this run made.' })
  @IsOptional()
  @IsUUID('all')
  run?: string;
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
