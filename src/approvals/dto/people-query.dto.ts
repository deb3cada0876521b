import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsQueryInt, IsText } from '../../http/fields';

export class PeopleQuery {
  @ApiProperty({ description: 'Beginning of a handle or a name, or a whole handle.' })
  @IsText(200, 1)
  q!: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 50 })
  @IsQueryInt(1, 50)
  limit?: number;
}
