import { ApiPropertyOptional } from '@nestjs/swagger';

/** What every page of a list has beside its `items`. */
export class ListDto {
  @ApiPropertyOptional()
  next_cursor?: string;
}
