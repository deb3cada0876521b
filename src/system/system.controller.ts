import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Needs } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { SystemDto } from './dto/system.dto';
import { SystemService } from './system.service';

@ApiTags('system')
@Controller('system')
export class SystemController {
  constructor(private readonly system: SystemService) {}

  @Needs('global:admin')
  @Get()
  @ApiOperation({ summary: 'Versions, workers at each queue, and the state of the stores' })
  @ApiOkResponse({ type: SystemDto })
  @ApiProblems(403)
  get(): Promise<SystemDto> {
    return this.system.get();
  }
}
