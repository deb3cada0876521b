import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import { IdPipe } from '../http/ids';
import {
  JournalSummaryDto,
  JournalSummaryQuery,
  ProfileJournalListDto,
  ProfileJournalQuery,
} from './dto/profile-journal.dto';
import { ProfileJournalService } from './profile-journal.service';

@ApiTags('profiles')
@Controller('profiles/:id/journal')
export class ProfileJournalController {
  constructor(private readonly journal: ProfileJournalService) {}

  @Authenticated()
  @Get()
  @ApiOperation({
    summary: 'What an agent has done, newest first',
    description:
      'Its owner sees every entry; a member of a team that it is shared with sees their own, and of others what the share’s `journal_visibility` says.',
  })
  @ApiOkResponse({ type: ProfileJournalListDto })
  @ApiProblems(404)
  list(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdPipe) id: string,
    @Query() query: ProfileJournalQuery,
  ): Promise<ProfileJournalListDto> {
    return this.journal.list(caller, id, query);
  }

  @Authenticated()
  @Get('summary')
  @ApiOperation({ summary: 'What an agent has done lately, in numbers' })
  @ApiOkResponse({ type: JournalSummaryDto })
  @ApiProblems(404)
  summary(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdPipe) id: string,
    @Query() query: JournalSummaryQuery,
  ): Promise<JournalSummaryDto> {
    return this.journal.summary(caller, id, query);
  }
}
