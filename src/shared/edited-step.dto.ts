import { ApiProperty } from '@nestjs/swagger';
import { ApiAnyJson } from '../http/any-json';
import type { Json } from '../../core/base/json';

/** Step that an approval permits, with inputs that are not those of the playbook. */
export class EditedStepDto {
  @ApiProperty({ description: 'Path of the step; `(caller) f` of the playbook that started this one.' })
  step!: string;

  @ApiAnyJson('What stands in for inputs of the playbook. Secrets are masked, large values shortened.')
  inputs!: Json;

  @ApiProperty({ description: 'SHA-256 of these inputs as they are.' })
  digest!: string;
}
