import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsString, Matches } from 'class-validator';
import { IsOptional, IsText } from '../../http/fields';
import { IsSort, PageQuery } from '../../http/page';
import { IsHostPattern } from '../host-pattern';
import { ListDto } from '../../shared/list.dto';

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,99}$/;
/** Shorter ones could not be masked in logs and answers: they would be found in everything. */
const SHORTEST = 4;
const LONGEST = 8_000;
const HOSTS =
  'Hosts that the value may be sent to: `api.example.org`, `api.example.org:8443`, `*.example.org` (names below it), or `*` alone for every host.';

class SecretValueDto {
  @ApiProperty({
    example: 'the key that the source gave you',
    minLength: SHORTEST,
    maxLength: LONGEST,
    writeOnly: true,
    description: 'Never comes back.',
  })
  @IsText(LONGEST, SHORTEST)
  value!: string;
}

export class CreateSecretDto extends SecretValueDto {
  @ApiProperty({ pattern: NAME.source, example: 'fec_api_key' })
  @IsString()
  @Matches(NAME, { message: 'name begins with a letter or "_" and has at most 100 letters, digits, "_", "." and "-"' })
  name!: string;

  @ApiProperty({ type: [String], minItems: 1, maxItems: 50, description: HOSTS, example: ['api.open.fec.gov'] })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(50)
  @IsHostPattern()
  allowed_hosts!: string[];
}

export class RotateSecretDto extends SecretValueDto {
  @ApiPropertyOptional({ type: [String], minItems: 1, maxItems: 50, description: `${HOSTS} Left out: as before.` })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(50)
  @IsHostPattern()
  allowed_hosts?: string[];
}

export class SecretDto {
  @ApiProperty()
  name!: string;

  @ApiProperty({ type: [String] })
  allowed_hosts!: string[];

  @ApiProperty({ description: 'The master key that it is encrypted under.' })
  key_id!: string;

  @ApiProperty({ type: 'integer', description: 'Number of values that it has had.' })
  version!: number;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'When it got its present value, if not at the beginning.' })
  rotated_at?: string;
}

export class SecretListQuery extends PageQuery {
  @IsSort('name', '-name')
  sort?: 'name' | '-name';
}

export class SecretListDto extends ListDto {
  @ApiProperty({ type: [SecretDto] })
  items!: SecretDto[];
}
