import { ApiProperty } from '@nestjs/swagger';
import { IsText } from '../../http/fields';

export class ImportDirDto {
  @ApiProperty({
    example: '/srv/filings',
    description: 'Absolute. What lies below it may be read, links by where they lead.',
  })
  @IsText(1000, 1)
  path!: string;
}

export class GrantedDirDto {
  @ApiProperty()
  path!: string;

  @ApiProperty({ enum: ['setting', 'grant'], description: '`setting`: AF_IMPORT_DIRS, changed in the environment.' })
  from!: 'setting' | 'grant';

  @ApiProperty({
    description: 'Whether the machine of the API has this directory. Workers on other machines read their own disks.',
  })
  found!: boolean;

  @ApiProperty({ required: false, description: 'Handle.' })
  granted_by?: string;

  @ApiProperty({ required: false, format: 'date-time' })
  granted_at?: string;
}

export class GrantedDirsDto {
  @ApiProperty({ type: [GrantedDirDto] })
  items!: GrantedDirDto[];
}
