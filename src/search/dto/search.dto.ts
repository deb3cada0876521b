import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn } from 'class-validator';
import { SEARCH_KINDS, type SearchKind } from '../../../infra/db/stores/search.store';
import { IsOptional, IsQueryInt, IsText } from '../../http/fields';

export class SearchQuery {
  @ApiProperty({ description: 'A part of the name, at least two characters; also a whole id.' })
  @IsText(200, 2)
  q!: string;

  @ApiPropertyOptional({ description: `Kinds with commas between them: ${SEARCH_KINDS.join(', ')}. Absent = all.` })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.split(',') : value))
  @IsArray()
  @ArrayMaxSize(SEARCH_KINDS.length)
  @IsIn(SEARCH_KINDS, { each: true })
  kinds?: SearchKind[];

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 50, default: 10, description: 'Most of one kind.' })
  @IsQueryInt(1, 50)
  limit?: number;
}

export class SearchHitDto {
  @ApiProperty({ enum: SEARCH_KINDS })
  kind!: SearchKind;

  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  title!: string;

  @ApiPropertyOptional({ description: 'Slug of a definition, question of a run.' })
  note?: string;

  @ApiPropertyOptional({ description: 'Of a run.' })
  status?: string;

  @ApiProperty({ format: 'date-time' })
  at!: string;

  @ApiProperty()
  link!: string;
}

export class SearchAnswerDto {
  @ApiProperty({
    type: [SearchHitDto],
    description: 'Kind by kind, newest first; the newest 5,000 of a kind are searched.',
  })
  items!: SearchHitDto[];
}
