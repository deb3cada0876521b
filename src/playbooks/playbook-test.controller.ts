import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import type { Identity } from '../access/identity';
import { CurrentCaller } from '../http/caller';
import { IdOrSlugPipe } from '../http/ids';
import { TestPlaybookDto, TestReportDto } from './dto/playbook-test.dto';
import { PlaybookTestService } from './playbook-test.service';

@ApiTags('playbooks')
@Controller('playbooks/:id')
export class PlaybookTestController {
  constructor(private readonly tests: PlaybookTestService) {}

  @Authenticated()
  @Post('test')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Dry run: what a run would do, step by step',
    description:
      'The engine decides as in a run, with stand-ins for everything outside: no request leaves, no model is asked, nothing is written. Pure steps are really computed.',
  })
  @ApiOkResponse({ type: TestReportDto })
  @ApiProblems(404, 422)
  test(
    @CurrentCaller() caller: Identity,
    @Param('id', IdOrSlugPipe) id: string,
    @Body() body: TestPlaybookDto,
  ): Promise<TestReportDto> {
    return this.tests.test(caller, id, body);
  }
}
