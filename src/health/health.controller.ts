import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../access/rules';
import { ReportsDatabaseHealth } from '../http/database-deadline.interceptor';
import { LiveDto, ReadyDto } from './health.dto';
import { HealthService } from './health.service';

@ApiTags('health')
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Public()
  @Get('live')
  @ApiOperation({ summary: 'The process answers' })
  @ApiOkResponse({ type: LiveDto })
  live(): LiveDto {
    return { status: 'ok' };
  }

  @Public()
  @ReportsDatabaseHealth()
  @Get('ready')
  @ApiOperation({ summary: 'The database and Temporal answer' })
  @ApiOkResponse({ type: ReadyDto })
  @ApiResponse({
    status: 503,
    type: ReadyDto,
    description: 'The database does not answer, or is that of a later version.',
  })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadyDto> {
    const report = await this.health.ready();
    void reply.status(report.status === 'unavailable' ? 503 : 200).header('cache-control', 'no-store');
    return report;
  }
}
