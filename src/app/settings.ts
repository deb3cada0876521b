import type { ModelFacts } from '../../core/validate/catalogue';

/** Settings of the routes. */
export interface ApiSettings {
  /** Further `host:port` values that may stand in the Host header. */
  allowedHosts: readonly string[];
  maxUploadBytes: number;
  /** Limits of one account, and of one address. */
  writesPerSecond: number;
  timeZone: string;
  /** Models that steps can call. */
  models: ModelFacts;
  /** Directories of AF_IMPORT_DIRS. */
  importDirs: readonly string[];
  /** People who may make an account. */
  registration: 'open' | 'invite' | 'closed';
  signalApprovals: boolean;
  /** Origin of Temporal Web, which may call the codec endpoint. */
  temporalUiOrigin?: string;
}
