import { ApiPropertyOptional } from '@nestjs/swagger';

/** Fields of a page of a list beside its `items`. */
export class ListDto {
  @ApiPropertyOptional()
  next_cursor?: string;
}
