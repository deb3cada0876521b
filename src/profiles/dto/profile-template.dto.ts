import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsText } from '../../http/fields';
import { IsProfileHandle } from './profile.dto';

export class ProfileTemplateDto {
  @ApiProperty({ description: 'Name of the template for `from-template`.', example: 'nonprofit-investigator' })
  template!: string;

  @ApiProperty()
  name!: string;

  @ApiPropertyOptional()
  description?: string;

  @ApiPropertyOptional()
  icon?: string;

  @ApiProperty({ type: [String], description: 'Slugs of the connectors that it works with.' })
  connectors!: string[];

  @ApiProperty({ type: [String], description: 'Built-in skills and slugs of playbooks, the most important first.' })
  skills!: string[];

  @ApiProperty({ description: 'YAML text.' })
  source!: string;
}

export class ProfileTemplateListDto {
  @ApiProperty({ type: [ProfileTemplateDto] })
  items!: ProfileTemplateDto[];
}

export class ProfileFromTemplateDto {
  @ApiProperty({ example: 'nonprofit-investigator' })
  @IsText(200)
  template!: string;

  @ApiPropertyOptional({ maxLength: 100, description: 'Handle of the new profile; the template’s own when absent.' })
  @IsOptional()
  @IsProfileHandle()
  handle?: string;

  @ApiPropertyOptional()
  @IsOptional()
  @IsText(255, 1)
  name?: string;
}
