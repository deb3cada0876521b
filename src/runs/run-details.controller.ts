import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import { IdPipe } from '../http/ids';
import { PageQuery } from '../http/page';
import { GraphDto } from '../playbooks/dto/graph.dto';
import { EffectListDto, ModelCallListDto, RunOutputsDto, StepValueDto } from './dto/run-details.dto';
import { StepListQuery, StepValueQuery } from './dto/run-query.dto';
import { StepListDto } from './dto/step-view.dto';
import { RunDetailsService } from './run-details.service';
import { RunStepsService } from './run-steps.service';

const SLICES =
  'The value itself where it is small; else its JSON text in slices: append the `text` of every page. `path` is percent-encoded: `review_each%5B3%5D%2Fparse`.';

@ApiTags('runs')
@Controller(['runs/:runId', 'executions/:runId'])
export class RunDetailsController {
  constructor(
    private readonly stepsOf: RunStepsService,
    private readonly details: RunDetailsService,
  ) {}

  @Authenticated()
  @Get('steps')
  @ApiOperation({ summary: 'The steps of a run in the order in which they began' })
  @ApiOkResponse({ type: StepListDto })
  @ApiProblems(404)
  steps(
    @CurrentCaller() caller: CallerInfo,
    @Param('runId', IdPipe) runId: string,
    @Query() query: StepListQuery,
  ): Promise<StepListDto> {
    return this.stepsOf.list(caller, runId, query);
  }

  @Authenticated()
  @Get('steps/:path/input')
  @ApiOperation({ summary: 'What a step was called with', description: SLICES })
  @ApiOkResponse({ type: StepValueDto })
  @ApiProblems(404)
  stepInput(
    @CurrentCaller() caller: CallerInfo,
    @Param('runId', IdPipe) runId: string,
    @Param('path') path: string,
    @Query() query: StepValueQuery,
  ): Promise<StepValueDto> {
    return this.stepsOf.input(caller, runId, path, query);
  }

  @Authenticated()
  @Get('steps/:path/output')
  @ApiOperation({ summary: 'The result of a step, however large', description: SLICES })
  @ApiOkResponse({ type: StepValueDto })
  @ApiProblems(404, 410)
  stepOutput(
    @CurrentCaller() caller: CallerInfo,
    @Param('runId', IdPipe) runId: string,
    @Param('path') path: string,
    @Query() query: StepValueQuery,
  ): Promise<StepValueDto> {
    return this.stepsOf.output(caller, runId, path, query);
  }

  @Authenticated()
  @Get('model-calls')
  @ApiOperation({ summary: 'Every call of a model: tokens, cost, outcome' })
  @ApiOkResponse({ type: ModelCallListDto })
  @ApiProblems(404)
  modelCalls(
    @CurrentCaller() caller: CallerInfo,
    @Param('runId', IdPipe) runId: string,
    @Query() query: PageQuery,
  ): Promise<ModelCallListDto> {
    return this.details.modelCalls(caller, runId, query);
  }

  @Authenticated()
  @Get('effects')
  @ApiOperation({ summary: 'Effects of a run outside the platform: one row for each effect key and try' })
  @ApiOkResponse({ type: EffectListDto })
  @ApiProblems(404)
  effects(
    @CurrentCaller() caller: CallerInfo,
    @Param('runId', IdPipe) runId: string,
    @Query() query: PageQuery,
  ): Promise<EffectListDto> {
    return this.details.effects(caller, runId, query);
  }

  @Authenticated()
  @Get('outputs')
  @ApiOperation({ summary: 'Results of a run, and the outcome of each destination' })
  @ApiOkResponse({ type: RunOutputsDto })
  @ApiProblems(404)
  outputs(@CurrentCaller() caller: CallerInfo, @Param('runId', IdPipe) runId: string): Promise<RunOutputsDto> {
    return this.details.outputs(caller, runId);
  }

  @Authenticated()
  @Get('graph')
  @ApiOperation({ summary: 'Steps of the pinned version, and what flows between them' })
  @ApiOkResponse({ type: GraphDto })
  @ApiProblems(404)
  graph(@CurrentCaller() caller: CallerInfo, @Param('runId', IdPipe) runId: string): Promise<GraphDto> {
    return this.details.graph(caller, runId);
  }
}
