import { ApiProperty } from '@nestjs/swagger';

export const RESET = 'reset';
export const CLOSED = 'closed';

/** Origin of an event, beside its own fields. */
export class EventOrigin {
  @ApiProperty({ format: 'uuid', description: 'The run.' })
  runId!: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Number of the event in its run, without gaps.' })
  seq!: number;
}

/** The cursor is unknown: load your lists again. Events that follow are new ones. */
export class ResetEvent {
  @ApiProperty({ enum: [RESET] })
  type!: typeof RESET;

  @ApiProperty({ enum: ['cursor_unknown', 'cursor_too_old'] })
  code!: 'cursor_unknown' | 'cursor_too_old';

  @ApiProperty()
  message!: string;
}

/** The stream ends here, and opening it again will not help. */
export class ClosedEvent {
  @ApiProperty({ enum: [CLOSED] })
  type!: typeof CLOSED;

  @ApiProperty({ enum: ['access_revoked'] })
  code!: 'access_revoked';

  @ApiProperty()
  message!: string;
}
