import { RunSpine1764288000001 } from './0001-run-spine';
import { HotPath1764288000002 } from './0002-hot-path';
import { Transitions1764288000003 } from './0003-transitions';
import { Retry1764288000010 } from './0010-retry';
import { Roles1764288000011 } from './0011-roles';
import { RowSecurity1764288000012 } from './0012-row-security';
import { Identity1764288000014 } from './0014-identity';
import { Secrets1764288000016 } from './0016-secrets';
import { Manners1764288000018 } from './0018-manners';
import { Profiles1764288000020 } from './0020-profiles';
import { ApprovalRules1764288000021 } from './0021-approval-rules';
import { Streams1764288000022 } from './0022-streams';
import { Lists1764288000023 } from './0023-lists';
import { Accounts1764288000024 } from './0024-accounts';
import { ConnectorRuntime1764288000025 } from './0025-connector-runtime';
import { TeamRuns1764288000026 } from './0026-team-runs';
import { EventOrder1764288000027 } from './0027-event-order';
import { AccessTokens1764288000028 } from './0028-access-tokens';
import { QuickLists1764288000030 } from './0030-quick-lists';
import { ConnectorWalls1764288000031 } from './0031-connector-walls';
import { HonestWaits1764288000032 } from './0032-honest-waits';
import { ConnectorRecords1764288000033 } from './0033-connector-records';
import { DefinitionFacts1764288000034 } from './0034-definition-facts';
import { Turns1764288000035 } from './0035-turns';
import { Repeats1764288000036 } from './0036-repeats';
import { Receipt1764288000037 } from './0037-receipt';
import { Failures1764288000041 } from './0041-failures';
import { LinkedRuns1764288000042 } from './0042-linked-runs';
import { WholeTrees1764288000047 } from './0047-whole-trees';
import { TrueTotals1764288000048 } from './0048-true-totals';
import { RetriedTrees1764288000049 } from './0049-retried-trees';
import { UnbegunChildren1764288000050 } from './0050-unbegun-children';
import { SharedKeys1764288000051 } from './0051-shared-keys';
import { HeardDecisions1764288000052 } from './0052-heard-decisions';
import { SecondThoughts1764288000053 } from './0053-second-thoughts';
import { SilentApprovers1764288000054 } from './0054-silent-approvers';
import { WholePreviews1764288000055 } from './0055-whole-previews';
import { EndedChildren1764288000057 } from './0057-ended-children';

/** Every migration in order; a new one is added at the end and never changed after a release. */
export const MIGRATIONS = [
  RunSpine1764288000001,
  HotPath1764288000002,
  Transitions1764288000003,
  Retry1764288000010,
  Roles1764288000011,
  RowSecurity1764288000012,
  Identity1764288000014,
  Secrets1764288000016,
  Manners1764288000018,
  Profiles1764288000020,
  ApprovalRules1764288000021,
  Streams1764288000022,
  Lists1764288000023,
  Accounts1764288000024,
  ConnectorRuntime1764288000025,
  TeamRuns1764288000026,
  EventOrder1764288000027,
  AccessTokens1764288000028,
  QuickLists1764288000030,
  ConnectorWalls1764288000031,
  HonestWaits1764288000032,
  ConnectorRecords1764288000033,
  DefinitionFacts1764288000034,
  Turns1764288000035,
  Repeats1764288000036,
  Receipt1764288000037,
  Failures1764288000041,
  LinkedRuns1764288000042,
  WholeTrees1764288000047,
  TrueTotals1764288000048,
  RetriedTrees1764288000049,
  UnbegunChildren1764288000050,
  SharedKeys1764288000051,
  HeardDecisions1764288000052,
  SecondThoughts1764288000053,
  SilentApprovers1764288000054,
  WholePreviews1764288000055,
  EndedChildren1764288000057,
];
