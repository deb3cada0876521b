import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../access/rules';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { PayloadReader } from '../../infra/temporal/payload-reader';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import { isUuid } from '../../core/base/uuid';
import { DecodeBody, PayloadsDto } from './codec.dto';
import { fromWire, toWire } from './wire';

/** Lets Temporal Web show what is encrypted in histories, to those who may see the run. */
@ApiTags('codec')
@Controller('codec')
export class CodecController {
  constructor(
    private readonly reader: PayloadReader,
    private readonly runs: RunsStore,
  ) {}

  @Authenticated()
  @Post('decode')
  @HttpCode(200)
  @ApiOperation({
    summary: "Decode payloads of runs that you may see (Temporal's codec server protocol)",
    description: 'Payloads that you may not see, or that cannot be decrypted, come back as they were sent.',
  })
  @ApiBody({ type: PayloadsDto })
  @ApiOkResponse({ type: PayloadsDto })
  @ApiProblems()
  async decode(@CurrentCaller() caller: CallerInfo, @Body() body: DecodeBody): Promise<PayloadsDto> {
    const maySee = async (runId: string): Promise<boolean> =>
      isUuid(runId) && (await this.runs.get(caller.ownerId, runId)) !== null;
    const payloads = await this.reader.read(body.payloads.map(fromWire), maySee);
    return { payloads: payloads.map(toWire) };
  }

  @Authenticated()
  @Post('encode')
  @HttpCode(200)
  @ApiOperation({
    summary: "Encode payloads for a workflow (Temporal's codec server protocol)",
    description:
      'Encrypts what Temporal Web sends with a signal or an update. It names no run, so these payloads are bound to none: every run can read them, and `decode` shows them to nobody.',
  })
  @ApiBody({ type: PayloadsDto })
  @ApiOkResponse({ type: PayloadsDto })
  @ApiProblems()
  async encode(@Body() body: DecodeBody): Promise<PayloadsDto> {
    const payloads = await this.reader.write(body.payloads.map(fromWire));
    return { payloads: payloads.map(toWire) };
  }
}
