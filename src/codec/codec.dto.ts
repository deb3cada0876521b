import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray } from 'class-validator';
import type { Json } from '../../core/base/json';

export class PayloadDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', format: 'byte' },
    example: { encoding: 'anNvbi9wbGFpbg==' },
  })
  metadata!: Record<string, string>;

  @ApiProperty({ type: 'string', format: 'byte', example: 'IkFkYSI=' })
  data!: string;
}

export class PayloadsDto {
  @ApiProperty({ type: [PayloadDto], maxItems: 1000 })
  payloads!: PayloadDto[];
}

/** Taken apart by hand: the form of Temporal's own tools, not ours. */
export class DecodeBody {
  @ApiProperty({ type: [PayloadDto], maxItems: 1000 })
  @IsArray()
  @ArrayMaxSize(1_000)
  payloads!: Json[];
}
