import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsText } from '../../http/fields';
import { ProblemItemDto } from '../../http/problem.dto';

export class ConnectorReportDto {
  @ApiProperty({ description: 'No errors; warnings may remain.' })
  valid!: boolean;

  @ApiProperty({ type: [ProblemItemDto] })
  problems!: ProblemItemDto[];
}

export class ConnectorTemplateDto {
  @ApiProperty({ description: 'What `from-template` calls it.', example: 'irs-990-xml' })
  template!: string;

  @ApiProperty()
  name!: string;

  @ApiPropertyOptional()
  description?: string;

  @ApiProperty({ example: 'file_parser' })
  type!: string;

  @ApiProperty({ type: [String] })
  endpoints!: string[];

  @ApiProperty({ description: 'YAML text.' })
  source!: string;
}

export class ConnectorTemplateListDto {
  @ApiProperty({ type: [ConnectorTemplateDto] })
  items!: ConnectorTemplateDto[];
}

export class FromTemplateDto {
  @ApiProperty({ example: 'irs-990-xml' })
  @IsText(200)
  template!: string;

  @ApiPropertyOptional({ description: 'Slug of the new connector; the template’s own when absent.' })
  @IsOptional()
  @IsText(100)
  id?: string;

  @ApiPropertyOptional()
  @IsOptional()
  @IsText(200)
  name?: string;
}
