import type { Problem } from '../../core/errors/problem';

/** JSON Pointer (RFC 6901) of a place in the body. */
function pointerTo(path: readonly string[]): string {
  return path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Problems whose `field` is a place in the body as it was sent: `inputs.rows`, `inputs.rows[2].size`. */
export function withPointers(problems: readonly Problem[]): Problem[] {
  return problems.map((problem) =>
    problem.field === undefined
      ? problem
      : { ...problem, pointer: pointerTo(problem.field.split(/[.[\]]+/).filter((part) => part !== '')) },
  );
}
