import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsString, Matches } from 'class-validator';
import { IsOptional, IsQueryInt } from '../../http/fields';
import { PageQuery } from '../../http/page';
import { IsUserHandle, IsOneLine } from './auth.dto';

const SCOPE = /^[a-z][a-z0-9_-]{0,62}:(reader|editor|analyst|admin)$/;
const SCOPE_MESSAGE = 'each scope is written group:role, the role reader, editor, analyst or admin';

export function IsScopes(): PropertyDecorator {
  return (target, name) => {
    IsArray()(target, name);
    ArrayMaxSize(50)(target, name);
    IsString({ each: true })(target, name);
    Matches(SCOPE, { each: true, message: SCOPE_MESSAGE })(target, name);
  };
}

export class UserDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  handle!: string;

  @ApiProperty()
  display_name!: string;

  @ApiProperty({ enum: ['person', 'service'] })
  kind!: 'person' | 'service';

  @ApiProperty({ enum: ['active', 'deactivated', 'anonymised'] })
  status!: 'active' | 'deactivated' | 'anonymised';

  @ApiProperty({ type: [String], example: ['global:admin'] })
  scopes!: string[];

  @ApiPropertyOptional({ format: 'uuid', description: 'Of a service account: who made it.' })
  managed_by?: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiPropertyOptional({ format: 'date-time' })
  deactivated_at?: string;
}

export class UserListDto {
  @ApiProperty({ type: [UserDto] })
  items!: UserDto[];

  @ApiPropertyOptional()
  next_cursor?: string;
}

export class UserQuery extends PageQuery {
  @ApiPropertyOptional({ enum: ['person', 'service'] })
  @IsOptional()
  @IsIn(['person', 'service'])
  kind?: 'person' | 'service';
}

export class CredentialDto {
  @ApiProperty({ enum: ['key', 'token', 'session'] })
  means!: 'key' | 'token' | 'session';

  @ApiProperty({ format: 'uuid', description: 'Id of the key or the session.' })
  id!: string;

  @ApiProperty({ type: [String], description: 'What this call may, of the scopes of the account.' })
  scopes!: string[];

  @ApiProperty()
  read_only!: boolean;

  @ApiProperty()
  may_decide!: boolean;
}

export class MeDto extends UserDto {
  @ApiProperty({ type: CredentialDto })
  credential!: CredentialDto;
}

export class SetScopesDto {
  @ApiProperty({
    example: ['global:editor'],
    type: [String],
    maxItems: 50,
    description: 'All scopes that the account has afterwards.',
  })
  @IsScopes()
  scopes!: string[];
}

export class CreateServiceAccountDto {
  @ApiProperty({ example: 'nightly-imports' })
  @IsUserHandle()
  handle!: string;

  @ApiPropertyOptional({ maxLength: 100 })
  @IsOptional()
  @IsOneLine(100)
  display_name?: string;

  @ApiPropertyOptional({ type: [String], maxItems: 50, description: 'No more than your own.' })
  @IsOptional()
  @IsScopes()
  scopes?: string[];
}

export class CreateInviteDto {
  @ApiPropertyOptional({ example: 'barbara', description: 'Left out: the invited person chooses.' })
  @IsOptional()
  @IsUserHandle()
  handle?: string;

  @ApiPropertyOptional({ type: [String], maxItems: 50, description: 'Scopes of the new account.' })
  @IsOptional()
  @IsScopes()
  scopes?: string[];

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 30, default: 7 })
  @IsQueryInt(1, 30)
  expires_in_days?: number;
}

export class InviteDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiPropertyOptional()
  handle?: string;

  @ApiProperty({ type: [String] })
  scopes!: string[];

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time' })
  expires_at!: string;

  @ApiPropertyOptional({ format: 'date-time' })
  accepted_at?: string;

  @ApiPropertyOptional({ format: 'uuid' })
  accepted_by?: string;
}

export class CreatedInviteDto extends InviteDto {
  @ApiProperty({ format: 'uri', description: 'Give it to the invited person. Not shown again.' })
  url!: string;
}

export class InviteListDto {
  @ApiProperty({ type: [InviteDto] })
  items!: InviteDto[];

  @ApiPropertyOptional()
  next_cursor?: string;
}

export class SessionDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ enum: ['browser', 'token'] })
  kind!: 'browser' | 'token';

  @ApiPropertyOptional({ description: 'Name that the client gave itself.' })
  client?: string;

  @ApiProperty({ description: 'Address that it began from.' })
  peer!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time' })
  last_seen_at!: string;

  @ApiProperty({ format: 'date-time' })
  expires_at!: string;

  @ApiProperty({ description: 'True for the session of this call.' })
  current!: boolean;
}

export class SessionListDto {
  @ApiProperty({ type: [SessionDto] })
  items!: SessionDto[];

  @ApiPropertyOptional()
  next_cursor?: string;
}
