import type { ConnectorDefinition, Endpoint, Parameter } from './types';

/**
 * Meaning of a null that is given for a parameter. `sent`: it is sent as null. `not_given`: the place of the parameter
 * cannot express null, so the default applies or nothing is sent. `refused`: the call is not made.
 */
export type NullMeaning = 'sent' | 'not_given' | 'refused';

type Rules = Pick<Parameter, 'type' | 'required' | 'default' | 'enum'>;

/** `sendsNull`: the place of the parameter can express null. */
export function nullMeaning(
  { type, required, default: fallback, enum: options }: Rules,
  sendsNull: boolean,
): NullMeaning {
  if (!sendsNull) return required && (fallback ?? null) === null ? 'refused' : 'not_given';
  // Options of a list are those of its elements.
  const isNoOption = type !== 'array' && options?.includes(null) === false;
  return (required && type !== 'any') || isNoOption ? 'refused' : 'sent';
}

/** JSON, variables of GraphQL and parameters of statements can express null; addresses, headers and forms cannot. */
export function canSendNull(
  type: ConnectorDefinition['type'],
  endpoint: Endpoint | { body_format: string },
  { in: place }: Pick<Parameter, 'in'>,
): boolean {
  if (type === 'graphql' || type === 'database') return true;
  return type === 'rest_api' && place === 'body' && 'body_format' in endpoint && endpoint.body_format === 'json';
}
