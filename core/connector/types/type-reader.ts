import type { Fields } from '../fields';
import type { ExpressionChecks } from '../checks';
import type { ConnectorCommon, ConnectorDefinition, ConnectorType } from '../types';

interface TypeInput {
  type: ConnectorType;
  common: ConnectorCommon;
  top: Fields;
  connection: Fields | undefined;
  endpoints: { name: string; fields: Fields }[];
  checks: ExpressionChecks;
}

/** Reads the parts of a definition that only its type knows. Problems go to the report. */
export type TypeReader = (input: TypeInput) => ConnectorDefinition | undefined;
