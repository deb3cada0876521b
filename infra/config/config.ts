import { AppError } from '../../core/errors/app-error';
import type { Problem } from '../../core/errors/problem';
import type { Variable } from './variable';
import { VARIABLES, type Config } from './variables';

export type { Config } from './variables';
export { configVariables } from './variables';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the environment once. An empty variable counts as not set. Throws `invalid_configuration` with every bad
 * variable by name and what was expected; the value itself is not repeated, it may be a secret.
 */
export function parseConfig(env: Environment): Config {
  const values = new Map<string, unknown>();
  const problems: Problem[] = [];
  for (const [field, variable] of Object.entries<Variable<unknown>>(VARIABLES)) {
    const given = env[variable.name];
    const raw = given === undefined || given.trim() === '' ? variable.default : given;
    const parsed = raw === undefined ? undefined : variable.schema.safeParse(raw);
    if (parsed?.success === false) {
      problems.push(problemOf(variable));
    } else {
      values.set(field, parsed?.data);
    }
  }
  const config = Object.freeze(Object.fromEntries(values)) as Config;
  if (problems.length === 0 && config.heartbeatTimeoutSeconds <= config.heartbeatSeconds) {
    problems.push(problemOf(VARIABLES.heartbeatTimeoutSeconds));
  }
  if (problems.length === 0 && config.registration === 'open' && !isLoopback(config.host)) {
    problems.push(problemOf(VARIABLES.registration));
  }
  if (problems.length > 0) {
    throw invalid(problems);
  }
  return config;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Default: people at this machine may make an account; over a network an invitation is needed. */
export function registrationOf(config: Pick<Config, 'registration' | 'host'>): 'open' | 'invite' | 'closed' {
  return config.registration ?? (isLoopback(config.host) ? 'open' : 'invite');
}

function problemOf(variable: Omit<Variable<unknown>, 'schema'>): Problem {
  return {
    severity: 'error',
    code: 'invalid_variable',
    field: variable.name,
    message: `${variable.name}: expected ${variable.expected}.`,
    ...(variable.default === undefined
      ? {}
      : { suggestion: `Unset it to use the default: ${variable.default || 'empty'}.` }),
  };
}

function invalid(problems: Problem[]): AppError {
  const lines = problems.map((problem) => `  ${problem.message}`).join('\n');
  return new AppError('invalid_configuration', `These environment variables cannot be used:\n${lines}`, {
    category: 'validation',
    problems,
  });
}
