/** Everything but health, the documentation and the page at the beginning lies below it. */
export const PREFIX = 'api/agent-factory';
export const PREFIX_OPTIONS = { exclude: ['health/live', 'health/ready', '/', PREFIX] };
