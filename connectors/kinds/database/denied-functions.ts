/**
 * Functions that no statement may name, whatever the target says about them: they wait, hold locks, speak to other
 * servers or files, change settings, or carry out a text that they are given (`crosstab` and its like are declared STABLE, so the
 * check of volatility alone would let any statement through them). What is volatile in the target is refused there.
 */
const DENIED =
  /^(pg_(sleep|read_|ls_|stat_file|file_|terminate_|cancel_|reload_|rotate_|advisory_|try_advisory_|notify|logical_|replication_|create_|drop_|promote|switch_|backup_|start_|stop_|export_|import_|log_)\w*|set_config|nextval|setval|lo_\w+|lowrite|loread|dblink\w*|(query|cursor|table|schema|database)_to_xml\w*|ts_stat|ts_rewrite|crosstab\w*|connectby|xpath_table|txid_current|pg_current_xact_id)$/;

export function isDenied(name: string): boolean {
  return DENIED.test(name);
}

/** Volatile functions of PostgreSQL itself that only give another value each time: they change nothing and wait for nothing. */
export const HARMLESS_VOLATILE: readonly string[] = [
  'random',
  'random_normal',
  'clock_timestamp',
  'timeofday',
  'gen_random_uuid',
  'uuidv4',
  'uuidv7',
];
