import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsString, Matches } from 'class-validator';
import { IsOptional, IsText } from '../../http/fields';

const USER_HANDLE = /^[a-z0-9][a-z0-9._-]{1,62}$/;
const SHORTEST_PASSWORD = 12;
const LONGEST_PASSWORD = 1_000;
const TOKEN_LENGTH = 100;

export function IsUserHandle(): PropertyDecorator {
  return applyDecorators(
    IsString(),
    Matches(USER_HANDLE, {
      message: '$property has 2 to 63 lower-case letters, digits, ".", "_" and "-", the first a letter or a digit',
    }),
  );
}

/** One line: a name ends up in lists, logs and letters. */
export function IsOneLine(maxLength: number): PropertyDecorator {
  return applyDecorators(
    IsText(maxLength, 1),
    Matches(/^[^\p{Cc}\u2028\u2029]*$/u, { message: '$property must be one line, without control characters' }),
  );
}

class NewPasswordDto {
  @ApiProperty({
    example: 'correct horse battery',
    minLength: SHORTEST_PASSWORD,
    maxLength: LONGEST_PASSWORD,
    writeOnly: true,
  })
  @IsText(LONGEST_PASSWORD, SHORTEST_PASSWORD)
  password!: string;
}

export class RegisterDto extends NewPasswordDto {
  @ApiProperty({ pattern: USER_HANDLE.source, example: 'rosalind' })
  @IsUserHandle()
  handle!: string;

  @ApiPropertyOptional({ maxLength: 100, description: 'Left out: the handle.' })
  @IsOptional()
  @IsOneLine(100)
  display_name?: string;

  @ApiPropertyOptional({ description: 'Token of an invitation, where registration is by invitation.' })
  @IsOptional()
  @IsText(TOKEN_LENGTH)
  invite?: string;
}

export class LoginDto {
  @ApiProperty({ example: 'rosalind' })
  @IsText(63, 1)
  handle!: string;

  @ApiProperty({ example: 'correct horse battery', writeOnly: true })
  @IsText(LONGEST_PASSWORD, 1)
  password!: string;

  @ApiPropertyOptional({
    default: false,
    description: 'True: a session in an HttpOnly cookie, for browsers. Else tokens in the answer.',
  })
  @IsOptional()
  @IsBoolean()
  cookie?: boolean;
}

export class RefreshDto {
  @ApiProperty({ example: 'the one of the last answer', writeOnly: true })
  @IsText(TOKEN_LENGTH, 1)
  refresh_token!: string;
}

export class ChangePasswordDto extends NewPasswordDto {
  @ApiProperty({ example: 'wrong horse battery', writeOnly: true })
  @IsText(LONGEST_PASSWORD, 1)
  current_password!: string;
}

export class UseLinkDto {
  @ApiPropertyOptional({
    example: 'correct horse battery',
    minLength: SHORTEST_PASSWORD,
    maxLength: LONGEST_PASSWORD,
    writeOnly: true,
    description: 'The new password. Needed by every link but one that signs in.',
  })
  @IsOptional()
  @IsText(LONGEST_PASSWORD, SHORTEST_PASSWORD)
  password?: string;

  @ApiPropertyOptional({
    pattern: USER_HANDLE.source,
    description: 'Of the account that an invitation makes, or of the first administrator.',
  })
  @IsOptional()
  @IsUserHandle()
  handle?: string;

  @ApiPropertyOptional({ maxLength: 100 })
  @IsOptional()
  @IsOneLine(100)
  display_name?: string;

  @ApiPropertyOptional({ default: false, description: 'True: a session in an HttpOnly cookie, for browsers.' })
  @IsOptional()
  @IsBoolean()
  cookie?: boolean;
}

export class SignedInDto {
  @ApiProperty({ format: 'uuid' })
  user_id!: string;

  @ApiProperty()
  handle!: string;

  @ApiPropertyOptional({ description: 'For `Authorization: Bearer`. Absent where a cookie was set.' })
  access_token?: string;

  @ApiPropertyOptional({ enum: ['Bearer'] })
  token_type?: 'Bearer';

  @ApiPropertyOptional({ type: 'integer', description: 'Seconds that the access token lives.' })
  expires_in?: number;

  @ApiPropertyOptional({ description: 'Works once: the answer of `/auth/refresh` has the next one.' })
  refresh_token?: string;
}

export class LinkDto {
  @ApiProperty({ enum: ['first_admin', 'sign_in', 'password_reset', 'invite'] })
  purpose!: 'first_admin' | 'sign_in' | 'password_reset' | 'invite';

  @ApiPropertyOptional({ description: 'Whom it is for. Absent for an invitation that leaves it open.' })
  handle?: string;

  @ApiProperty({ format: 'date-time' })
  expires_at!: string;
}

export class MintedLinkDto {
  @ApiProperty({ format: 'uri', description: 'To be opened once. Not shown again.' })
  url!: string;

  @ApiProperty({ format: 'date-time' })
  expires_at!: string;
}
