/** Prefix of everything but health, the documentation and the start page. */
export const PREFIX = 'api/agent-factory';
export const PREFIX_OPTIONS = { exclude: ['health/live', 'health/ready', '/', PREFIX] };
