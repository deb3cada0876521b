import { usageError } from './errors';

const LONGEST = 64 * 1024;

/**
 * The value of a secret from standard input, never from the arguments: those show in the list of processes and stay in
 * the shell's history. One line end at the end is not part of it.
 */
export async function readSecretValue(input: NodeJS.ReadStream = process.stdin): Promise<string> {
  if (input.isTTY) process.stderr.write('Value (end with Enter and Ctrl-D): ');
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of input as AsyncIterable<Buffer | string>) {
    const bytes = Buffer.from(part);
    size += bytes.length;
    if (size > LONGEST) throw usageError('The value is too long for a secret.');
    parts.push(bytes);
  }
  const value = Buffer.concat(parts)
    .toString('utf8')
    .replace(/\r?\n$/, '');
  if (value === '')
    throw usageError('The value is missing. Give it on standard input: af secrets set NAME --hosts … < file');
  return value;
}
