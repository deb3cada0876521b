import { RunSpine1764288000001 } from './0001-run-spine';
import { HotPath1764288000002 } from './0002-hot-path';
import { Transitions1764288000003 } from './0003-transitions';
import { Retry1764288000010 } from './0010-retry';
import { Roles1764288000011 } from './0011-roles';
import { RowSecurity1764288000012 } from './0012-row-security';
import { Secrets1764288000016 } from './0016-secrets';
import { Lists1764288000017 } from './0017-lists';

/** Every migration in order; a new one is added at the end and never changed after a release. */
export const MIGRATIONS = [
  RunSpine1764288000001,
  HotPath1764288000002,
  Transitions1764288000003,
  Retry1764288000010,
  Roles1764288000011,
  RowSecurity1764288000012,
  Secrets1764288000016,
  Lists1764288000017,
];
