/** Migrations that the baseline replaces: a database that has the last of them has them all, in this order. */
export const BEFORE_BASELINE: readonly string[] = [
  'RunSpine1764288000001',
  'HotPath1764288000002',
  'Transitions1764288000003',
  'Retry1764288000010',
  'Roles1764288000011',
  'RowSecurity1764288000012',
  'Identity1764288000014',
  'Secrets1764288000016',
  'Manners1764288000018',
  'Profiles1764288000020',
  'ApprovalRules1764288000021',
  'Streams1764288000022',
  'Lists1764288000023',
  'Accounts1764288000024',
  'ConnectorRuntime1764288000025',
  'TeamRuns1764288000026',
  'EventOrder1764288000027',
  'AccessTokens1764288000028',
  'QuickLists1764288000030',
  'ConnectorWalls1764288000031',
  'HonestWaits1764288000032',
  'ConnectorRecords1764288000033',
  'DefinitionFacts1764288000034',
  'Turns1764288000035',
];

/** Changed functions alone, which are made from infra/db/schema by now. */
export const OF_FUNCTIONS: readonly string[] = [
  'UnbegunChildren1764288000050',
  'SecondThoughts1764288000053',
  'SilentApprovers1764288000054',
  'EndedChildren1764288000057',
];
