import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import { IdPipe } from '../http/ids';
import { ReadsVersion } from '../http/versions';
import { JournalEntryDto, JournalListDto, JournalListQuery } from './dto/journal.dto';
import { JournalService } from './journal.service';

@ApiTags('journal')
@Controller('journal')
export class JournalController {
  constructor(private readonly journal: JournalService) {}

  @Authenticated()
  @Get()
  @ApiOperation({
    summary: 'Journal, newest first',
    description: 'Every run writes an entry at its end, cancelled and failed ones too.',
  })
  @ApiOkResponse({ type: JournalListDto })
  @ApiProblems()
  list(@CurrentCaller() caller: CallerInfo, @Query() query: JournalListQuery): Promise<JournalListDto> {
    return this.journal.list(caller, query);
  }

  @Authenticated()
  @Get(':entryId')
  @ApiOperation({ summary: 'One entry of the journal' })
  @ApiOkResponse({ type: JournalEntryDto })
  @ReadsVersion()
  @ApiProblems(404)
  get(@CurrentCaller() caller: CallerInfo, @Param('entryId', IdPipe) entryId: string): Promise<JournalEntryDto> {
    return this.journal.get(caller, entryId);
  }
}
