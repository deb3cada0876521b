import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../access/rules';
import { getContract, listContracts } from '../../core/actions/registry';
import type { ActionContract } from '../../core/actions/types';
import { notFound } from '../../infra/db/stores/not-found';
import { ApiProblems } from '../http/api-docs';
import { ReadsVersion } from '../http/versions';
import { ActionDto, ActionListDto } from './action.dto';

/** Contracts are code: there is no use case behind these two. */
@ApiTags('actions')
@Controller('actions')
export class ActionsController {
  @Authenticated()
  @Get()
  @ApiOperation({ summary: 'Contracts of all actions, those that are not executable yet too' })
  @ApiOkResponse({ type: ActionListDto })
  @ApiProblems()
  list(): { items: readonly ActionContract[] } {
    return { items: listContracts() };
  }

  @Authenticated()
  @Get(':name')
  @ApiOperation({ summary: 'Contract of one action' })
  @ApiOkResponse({ type: ActionDto })
  @ReadsVersion()
  @ApiProblems(404)
  get(@Param('name') name: string): ActionContract {
    const contract = getContract(name);
    if (contract === undefined) {
      const known = listContracts().map((each) => each.name);
      throw notFound('action', name, known, 'GET /actions lists them.');
    }
    return contract;
  }
}
