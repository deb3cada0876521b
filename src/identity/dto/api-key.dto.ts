import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsUUID } from 'class-validator';
import { IsOptional, IsTime } from '../../http/fields';
import { IsOneLine } from './auth.dto';
import { IsScopes } from './user.dto';

export class CreateApiKeyDto {
  @ApiProperty({ minLength: 1, maxLength: 100, example: 'nightly export' })
  @IsOneLine(100)
  name!: string;

  @ApiPropertyOptional({
    type: [String],
    maxItems: 50,
    description:
      'Left out: all that its account has, at any time. The account losing a scope takes it from the key too.',
  })
  @IsOptional()
  @IsScopes()
  scopes?: string[];

  @ApiPropertyOptional({ default: false, description: 'May only read.' })
  @IsOptional()
  @IsBoolean()
  read_only?: boolean;

  @ApiPropertyOptional({ default: false, description: 'May decide approvals.' })
  @IsOptional()
  @IsBoolean()
  may_decide?: boolean;

  @ApiPropertyOptional({
    type: [String],
    format: 'uuid',
    minItems: 1,
    maxItems: 200,
    description: 'Ids of the only objects that it reaches; then it sees no lists.',
  })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(200)
  @IsUUID('all', { each: true })
  objects?: string[];

  @ApiPropertyOptional({ format: 'date-time', description: 'Left out: it does not expire.' })
  @IsTime()
  expires_at?: string;
}

export class ApiKeyDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  owner_id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ description: 'How the key begins.', example: 'afk_3kD9xq' })
  prefix!: string;

  @ApiPropertyOptional({ type: [String], description: 'Absent: all that its account has.' })
  scopes?: string[];

  @ApiProperty()
  read_only!: boolean;

  @ApiProperty()
  may_decide!: boolean;

  @ApiPropertyOptional({ type: [String], format: 'uuid' })
  objects?: string[];

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiPropertyOptional({ format: 'date-time' })
  expires_at?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'To the minute.' })
  last_used_at?: string;
}

export class CreatedApiKeyDto extends ApiKeyDto {
  @ApiProperty({ description: 'For the header `X-API-Key`. Not shown again.' })
  key!: string;
}

export class ApiKeyListDto {
  @ApiProperty({ type: [ApiKeyDto] })
  items!: ApiKeyDto[];

  @ApiPropertyOptional()
  next_cursor?: string;
}
