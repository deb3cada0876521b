import type { Command } from 'commander';
import type { ExitCode } from '../errors';
import type { Context } from '../context';

/** Runs a command's body with its context and takes the exit code that it gives. */
export type Wrap = <Arguments extends unknown[]>(
  body: (context: Context, ...rest: Arguments) => Promise<ExitCode>,
) => (...rest: Arguments) => Promise<void>;

export type Register = (program: Command, wrap: Wrap) => void;
