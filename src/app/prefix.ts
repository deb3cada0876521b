/** Everything but health and the documentation lies below it. */
export const PREFIX = 'api/agent-factory';
export const PREFIX_OPTIONS = { exclude: ['health/live', 'health/ready'] };
