import { isUuid } from '../../core/base/uuid';
import { Injectable, type PipeTransform } from '@nestjs/common';
import { AppError } from '../../core/errors/app-error';

/** Path parameter that has to be a UUID; the database never sees anything else. */
@Injectable()
export class IdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (!isUuid(value)) {
      throw new AppError('invalid_id', 'Ids are UUIDs, for example 0f8fad5b-d9cb-469f-a165-70867728950e.', {
        category: 'bad_request',
      });
    }
    return value.toLowerCase();
  }
}

/** Path parameter that is an id or a slug. */
@Injectable()
export class IdOrSlugPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (!/^[A-Za-z0-9][A-Za-z0-9_.-]{0,199}$/.test(value)) {
      throw new AppError('invalid_id', 'Expected an id (UUID) or a slug (letters, digits, "-", "_", ".").', {
        category: 'bad_request',
      });
    }
    return isUuid(value) ? value.toLowerCase() : value;
  }
}
