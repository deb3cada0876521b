import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { TESTED, type Tested } from '../../../core/connector/types';
import { IsOptional, IsText } from '../../http/fields';
import { ProblemItemDto } from '../../http/problem.dto';
import { ConnectorAboutDto } from './connector.dto';

export class ConnectorReportDto {
  @ApiProperty({ description: 'No errors; warnings may remain.' })
  valid!: boolean;

  @ApiProperty({ type: [ProblemItemDto] })
  problems!: ProblemItemDto[];
}

export class TemplateEndpointDto {
  @ApiProperty({ example: 'parse_filings' })
  endpoint!: string;

  @ApiProperty()
  description!: string;

  @ApiPropertyOptional({
    enum: TESTED,
    description: 'Tested with answers of the source, with invented answers, or not at all.',
  })
  tested?: Tested;

  @ApiPropertyOptional({ description: 'Page that the parameters come from.' })
  docs?: string;
}

export class ConnectorTemplateDto extends ConnectorAboutDto {
  @ApiProperty({ description: 'Name of the template for `from-template`.', example: 'irs-990-xml' })
  template!: string;

  @ApiProperty()
  name!: string;

  @ApiPropertyOptional()
  description?: string;

  @ApiProperty({ example: 'file_parser' })
  type!: string;

  @ApiProperty({ type: [String] })
  endpoints!: string[];

  @ApiProperty({ type: [TemplateEndpointDto], description: 'What each endpoint gives and how it was tested.' })
  about_endpoints!: TemplateEndpointDto[];

  @ApiPropertyOptional({ description: 'The source is gone: why, and what to use instead.' })
  retired?: string;

  @ApiProperty({ description: 'YAML text.' })
  source!: string;
}

export class ConnectorTemplateListDto {
  @ApiProperty({ type: [ConnectorTemplateDto] })
  items!: ConnectorTemplateDto[];
}

/** Names of the new connector. */
export class TemplateNamesDto {
  @ApiPropertyOptional({
    example: 'my-filings',
    description: 'Slug of the new connector; the template’s own when absent.',
  })
  @IsOptional()
  @IsText(100)
  id?: string;

  @ApiPropertyOptional()
  @IsOptional()
  @IsText(200)
  name?: string;
}

export class FromTemplateDto extends TemplateNamesDto {
  @ApiProperty({ example: 'irs-990-xml' })
  @IsText(200)
  template!: string;
}
