/** The run's clock values, resolved once at the start in the run's IANA zone and passed as data. */
export interface RunClock {
  /** RFC 3339 instant of the start. */
  now: string;
  /** Local calendar date of the start, YYYY-MM-DD. `{N_days_ago}` counts back from it. */
  today: string;
  time_zone: string;
  /** Start date of the owner's latest complete or partial run of the playbook; absent = not defined. */
  last_execution_date?: string;
}
