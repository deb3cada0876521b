import { ValidateBy } from 'class-validator';

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,99}$/;
const MOST = 20;

/** `{field: {secret: name}}`. A value that is written here by mistake is refused and never stored. */
export function IsSecretNames(): PropertyDecorator {
  return ValidateBy({
    name: 'secretNames',
    validator: {
      validate: isSecretNames,
      defaultMessage: () =>
        '$property names secrets by auth field, as in {"api_key": {"secret": "fec_api_key"}}; it takes no values',
    },
  });
}

function isSecretNames(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return false;
  }
  const entries = Object.entries(value);
  return entries.length <= MOST && entries.every(([field, handle]) => NAME.test(field) && isHandle(handle));
}

function isHandle(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const { secret, ...rest } = value as { secret?: unknown };
  return typeof secret === 'string' && NAME.test(secret) && Object.keys(rest).length === 0;
}
