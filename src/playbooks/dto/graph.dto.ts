import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export class GraphFieldDto {
  @ApiProperty()
  name!: string;

  @ApiProperty({ example: 'record[]' })
  type!: string;

  @ApiPropertyOptional()
  required?: boolean;
}

export class GraphNodeDto {
  @ApiProperty({ description: 'Name of the step.' })
  step!: string;

  @ApiProperty({ enum: ['tool', 'llm_task', 'approval', 'parallel', 'for_each', 'loop', 'route', 'run_playbook'] })
  kind!: string;

  @ApiPropertyOptional()
  action?: string;

  @ApiProperty({ description: 'Reference name of its result.' })
  key!: string;

  @ApiPropertyOptional({ description: 'Step that this one lies inside of.' })
  parent?: string;

  @ApiProperty({ type: [GraphFieldDto] })
  inputs!: GraphFieldDto[];

  @ApiProperty({ type: [GraphFieldDto], description: 'Fields of the result, as far as they are known before a run.' })
  outputs!: GraphFieldDto[];
}

export class GraphEdgeDto {
  @ApiProperty()
  from!: string;

  @ApiProperty()
  to!: string;

  @ApiProperty({ enum: ['reference', 'sequence', 'depends_on'] })
  via!: string;

  @ApiPropertyOptional({ description: 'The reference, without braces.' })
  reference?: string;

  @ApiPropertyOptional({ description: 'Type of what the reference reads.' })
  type?: string;
}

export class GraphDto {
  @ApiProperty({ type: [GraphNodeDto] })
  nodes!: GraphNodeDto[];

  @ApiProperty({ type: [GraphEdgeDto] })
  edges!: GraphEdgeDto[];
}
