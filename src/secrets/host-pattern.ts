import { ValidateBy } from 'class-validator';
import { isHostPattern } from '../../infra/egress/secret-hosts';

/** Every entry names a host that a secret may be sent to. */
export function IsHostPattern(): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isHostPattern',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && isHostPattern(value),
        defaultMessage: () =>
          'each entry of $property must be a host name, host:port, *.domain or *; no scheme and no path',
      },
    },
    { each: true },
  );
}
