import { Baseline1764288000035 } from './0035-baseline';
import { Repeats1764288000036 } from './0036-repeats';
import { Receipt1764288000037 } from './0037-receipt';
import { Failures1764288000041 } from './0041-failures';
import { LinkedRuns1764288000042 } from './0042-linked-runs';
import { WholeTrees1764288000047 } from './0047-whole-trees';
import { TrueTotals1764288000048 } from './0048-true-totals';
import { RetriedTrees1764288000049 } from './0049-retried-trees';
import { SharedKeys1764288000051 } from './0051-shared-keys';
import { HeardDecisions1764288000052 } from './0052-heard-decisions';
import { WholePreviews1764288000055 } from './0055-whole-previews';
import { SchemaState1764288000060 } from './0060-schema-state';
import { EffectsBehind1764288000061 } from './0061-effects-behind';
import { OpenModelCalls1764288000062 } from './0062-open-model-calls';
import { AnsweredEffects1764288000063 } from './0063-answered-effects';
import { EffectBodies1764288000064 } from './0064-effect-bodies';

/** Every migration in order; a new one is added at the end and never changed after a release. */
export const MIGRATIONS = [
  Baseline1764288000035,
  Repeats1764288000036,
  Receipt1764288000037,
  Failures1764288000041,
  LinkedRuns1764288000042,
  WholeTrees1764288000047,
  TrueTotals1764288000048,
  RetriedTrees1764288000049,
  SharedKeys1764288000051,
  HeardDecisions1764288000052,
  WholePreviews1764288000055,
  SchemaState1764288000060,
  EffectsBehind1764288000061,
  OpenModelCalls1764288000062,
  AnsweredEffects1764288000063,
  EffectBodies1764288000064,
];
