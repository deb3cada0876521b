import { ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { ApiAnyJson } from '../http/any-json';
import type { Json } from '../../core/base/json';

export class FieldDto {
  @ApiProperty()
  name!: string;

  @ApiProperty({ example: 'record[]' })
  type!: string;

  @ApiPropertyOptional()
  description?: string;

  @ApiPropertyOptional()
  required?: boolean;

  @ApiAnyJson()
  default?: Json;

  @ApiPropertyOptional({ type: [String] })
  enum?: string[];

  @ApiPropertyOptional({ type: [String], description: 'Values of `enum` that cannot be executed yet.' })
  not_yet?: string[];

  @ApiPropertyOptional({
    description:
      'Of parameters of an endpoint: true = null is sent as null, false = the endpoint cannot send it. Absent: null counts as absent.',
  })
  nullable?: boolean;

  @ApiPropertyOptional({ description: 'Must be written out in the playbook: a reference is not accepted.' })
  literal?: boolean;

  @ApiPropertyOptional({
    type: 'array',
    items: { $ref: getSchemaPath('FieldDto') },
    description: 'Known fields of a record.',
  })
  fields?: FieldDto[];
}
