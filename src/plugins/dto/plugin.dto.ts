import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Json } from '../../../core/base/json';

export class PluginSummaryDto {
  @ApiProperty()
  name!: string;

  @ApiProperty()
  version!: string;

  @ApiPropertyOptional()
  description?: string;

  @ApiProperty({ description: 'What kind of connection its tools need.' })
  connection_type!: string;

  @ApiProperty({ description: 'The tool pack that profiles name.' })
  tool_pack_name!: string;

  @ApiProperty({ description: 'Comes with the installation.' })
  is_builtin!: boolean;

  @ApiProperty()
  is_enabled!: boolean;

  @ApiProperty({ description: 'You have set it up.' })
  configured!: boolean;
}

export class PluginListDto {
  @ApiProperty({ type: [PluginSummaryDto] })
  items!: PluginSummaryDto[];
}

export class PluginToolsDto {
  @ApiProperty()
  plugin!: string;

  @ApiProperty({ description: 'The tool pack that profiles name.' })
  tool_pack_name!: string;

  @ApiProperty({ type: 'array', items: {}, description: 'Contracts of its tools: what they take and give.' })
  items!: Json[];
}

export class PluginDto extends PluginSummaryDto {
  @ApiProperty({ type: 'array', items: {}, description: 'Settings that it asks of your connection.' })
  required_config!: Json[];

  @ApiProperty({ type: 'array', items: {}, description: 'Contracts of its tools: what they take and give.' })
  tool_contracts!: Json[];
}
