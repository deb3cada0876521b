import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export class MasterKeyDto {
  @ApiProperty()
  id!: string;

  @ApiProperty({ description: 'New things are encrypted under this one.' })
  current!: boolean;

  @ApiProperty({ description: 'True if the API holds the key.' })
  available!: boolean;

  @ApiProperty({ type: 'integer', description: 'Secrets that are encrypted under it.' })
  secrets!: number;

  @ApiProperty({ format: 'date-time', description: 'When it was first seen.' })
  created_at!: string;

  @ApiPropertyOptional({ format: 'date-time' })
  retired_at?: string;
}

export class MasterKeyListDto {
  @ApiProperty({ type: [MasterKeyDto] })
  items!: MasterKeyDto[];
}

export class KeyRotationDto {
  @ApiProperty({ description: 'The key that everything is encrypted under now.' })
  current!: string;

  @ApiProperty({ type: 'integer', description: 'Secrets that were encrypted anew.' })
  reencrypted!: number;
}
