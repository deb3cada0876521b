import type { TypeReader } from './type-reader';

/** A type that is declared but not executable by this version: its common fields are checked, then it is refused. */
export const readNotAvailable: TypeReader = ({ type, top }) => {
  top.report.add(top.at('type'), 'not_available', `Connectors of type \`${type}\` cannot run in this version.`, {
    suggestion: 'Use `rest_api` for an HTTP source or `file_parser` for XML, CSV and JSON files.',
  });
  return undefined;
};
