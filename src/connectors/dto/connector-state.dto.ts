import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsString, MaxLength } from 'class-validator';
import { IsOptional, IsText } from '../../http/fields';
import { ListDto } from '../../shared/list.dto';

const CACHE = ['none', 'miss', 'hit', 'revalidated', 'stale'] as const;
const BREAKER = ['closed', 'open', 'half_open'] as const;

/** One request, one answer from the cache, or one call of a database, of files or of an action. */
export class ConnectorCallDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  endpoint!: string;

  @ApiPropertyOptional({ format: 'uuid' })
  runId?: string;

  @ApiPropertyOptional()
  step_path?: string;

  @ApiProperty({
    description:
      'Only the origin of an address: path and query may hold secrets. Other targets: `postgresql://host:port/database`, `directory`, `upload` and `action:name`.',
    example: 'https://api.example.org',
  })
  origin!: string;

  @ApiProperty({
    example: 'GET',
    description: 'Of HTTP; `QUERY` for a database, `READ` for files, `CALL` for an action.',
  })
  method!: string;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'HTTP status; absent when no answer came, and for what is no HTTP.',
  })
  status?: number;

  @ApiProperty({ description: '`ok`, or the code of what went wrong.' })
  outcome!: string;

  @ApiProperty()
  latency_ms!: number;

  @ApiPropertyOptional({ type: 'integer', description: 'Of the answer, or of the files that were read.' })
  bytes?: number;

  @ApiPropertyOptional({ type: 'integer', description: 'Records in the answer.' })
  items?: number;

  @ApiProperty({ enum: CACHE })
  cache!: string;

  @ApiProperty({ type: 'integer' })
  attempt!: number;

  @ApiPropertyOptional({ type: 'integer' })
  page?: number;

  @ApiPropertyOptional({ description: 'Kept only where it was asked for; secrets are masked.' })
  body?: string;

  @ApiProperty({ format: 'date-time' })
  at!: string;
}

export class ConnectorCallListDto extends ListDto {
  @ApiProperty({ type: [ConnectorCallDto] })
  items!: ConnectorCallDto[];
}

export class LastErrorDto {
  @ApiProperty()
  code!: string;

  @ApiProperty()
  endpoint!: string;

  @ApiProperty({ format: 'date-time' })
  at!: string;
}

export class BreakerStateDto {
  @ApiProperty()
  origin!: string;

  @ApiProperty({ enum: BREAKER })
  state!: string;

  @ApiProperty({ type: 'integer', description: 'Failures in a row.' })
  failures!: number;

  @ApiPropertyOptional({ format: 'date-time' })
  open_until?: string;
}

export class LimitUseDto {
  @ApiProperty()
  origin!: string;

  @ApiProperty({ description: 'Without a credential all owners share what the source allows.' })
  shared!: boolean;

  @ApiPropertyOptional({ format: 'date-time' })
  blocked_until?: string;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'number' }, description: 'Period → requests.' })
  used!: Record<string, number>;
}

export class CredentialStateDto {
  @ApiPropertyOptional({ description: 'Name of the secret; absent without one.' })
  credential?: string;

  @ApiProperty({ enum: ['ok', 'auth_failed'] })
  state!: string;

  @ApiPropertyOptional({ type: 'integer', description: 'HTTP status of the refusal.' })
  status?: number;

  @ApiPropertyOptional()
  endpoint?: string;

  @ApiProperty({ format: 'date-time' })
  since!: string;
}

export class SecretPlacesDto {
  @ApiPropertyOptional({ description: 'Name of the secret that is meant; absent where the connector names none.' })
  secret?: string;

  @ApiProperty({ type: [String], description: 'Origins that the latest version may send its secret to.' })
  wanted!: string[];

  @ApiProperty({ type: [String], description: 'Origins that it was written with, or that were confirmed.' })
  known!: string[];

  @ApiProperty({ type: [String], description: 'Until these are confirmed, calls answer `needs_confirmation`.' })
  missing!: string[];
}

export class ConnectorHealthDto {
  @ApiProperty({ type: 'integer', description: 'Calls of the last day, including answers from the cache.' })
  calls!: number;

  @ApiProperty({ type: 'integer', description: 'Requests that were sent.' })
  requests!: number;

  @ApiProperty({ type: 'integer' })
  failed!: number;

  @ApiPropertyOptional({ description: 'Failed requests by requests, 0 to 1; absent without requests.' })
  error_rate?: number;

  @ApiProperty({ type: 'integer' })
  cache_hits!: number;

  @ApiProperty({ type: 'integer', description: 'Stored answers that were used because the source failed.' })
  stale_answers!: number;

  @ApiPropertyOptional()
  latency_p50_ms?: number;

  @ApiPropertyOptional()
  latency_p95_ms?: number;

  @ApiPropertyOptional({ format: 'date-time' })
  last_call_at?: string;

  @ApiPropertyOptional({ type: LastErrorDto })
  last_error?: LastErrorDto;

  @ApiProperty({ type: [BreakerStateDto] })
  breakers!: BreakerStateDto[];

  @ApiProperty({ type: [LimitUseDto] })
  limits!: LimitUseDto[];

  @ApiProperty({ type: [CredentialStateDto] })
  credentials!: CredentialStateDto[];

  @ApiProperty({ type: SecretPlacesDto })
  secret_places!: SecretPlacesDto;
}

export class ConfirmPlacesDto {
  @ApiProperty({
    type: [String],
    description:
      'Places that you have looked at: exactly `secret_places.wanted` of the health, so that no other place is confirmed.',
    example: ['https://api.example.org'],
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(200)
  @IsString({ each: true })
  @MaxLength(2_000, { each: true })
  origins!: string[];

  @ApiPropertyOptional({
    description: 'Name of another secret, which a binding of a profile gives the connector; absent: its own.',
  })
  @IsOptional()
  @IsText(100, 1)
  secret?: string;
}
