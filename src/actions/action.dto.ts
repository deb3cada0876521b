import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { FieldDto } from '../shared/contract.dto';

export class ActionDto {
  @ApiProperty({ example: 'transform_data' })
  name!: string;

  @ApiProperty()
  group!: string;

  @ApiProperty()
  description!: string;

  @ApiProperty({ enum: ['tool', 'llm_task', 'control'] })
  step_type!: string;

  @ApiProperty({ type: [FieldDto] })
  inputs!: FieldDto[];

  @ApiProperty({ type: [FieldDto] })
  params!: FieldDto[];

  @ApiProperty({ type: [FieldDto] })
  outputs!: FieldDto[];

  @ApiPropertyOptional({ enum: ['connector_endpoint', 'output_schema', 'input_shape', 'children'] })
  dynamic?: string;

  @ApiPropertyOptional({ description: 'Inputs of other names are accepted too.' })
  open_inputs?: boolean;

  @ApiProperty({ description: 'Seconds at most, no wait: may travel in a segment.' })
  short!: boolean;

  @ApiProperty({ description: 'A pure function of its inputs.' })
  pure!: boolean;

  @ApiProperty({ enum: ['none', 'transactional', 'idempotent', 'keyed', 'unsafe'] })
  effect!: string;

  @ApiProperty({ description: 'False: declared, not executable yet.' })
  available!: boolean;

  @ApiPropertyOptional()
  requires?: string;
}

export class ActionListDto {
  @ApiProperty({ type: [ActionDto] })
  items!: ActionDto[];
}
