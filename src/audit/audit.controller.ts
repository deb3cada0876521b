import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { AppError } from '../../core/errors/app-error';
import { GLOBAL_ADMIN, holds } from '../../core/permissions/scopes';
import { AuditStore, type AuditRow } from '../../infra/db/stores/identity/audit.store';
import type { Identity } from '../access/identity';
import { Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller } from '../http/caller';
import { IsOptional, IsText } from '../http/fields';
import { PageQuery } from '../http/page';
import { withoutNulls, pageBody } from '../shared/views';

export class AuditQuery extends PageQuery {
  @ApiPropertyOptional({ enum: ['own', 'all'], default: 'own', description: '`all` needs the scope global:admin.' })
  @IsOptional()
  @IsIn(['own', 'all'])
  of?: 'own' | 'all';

  @ApiPropertyOptional({ example: 'POST /runs' })
  @IsOptional()
  @IsText(200)
  action?: string;

  @ApiPropertyOptional({ description: 'Id of the object that something was done to.' })
  @IsOptional()
  @IsText(200)
  object?: string;
}

export class AuditEntryDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'date-time' })
  at!: string;

  @ApiProperty({ format: 'uuid', description: 'The account that did it.' })
  user_id!: string;

  @ApiProperty({ description: 'Its handle at that time.' })
  actor!: string;

  @ApiProperty({ enum: ['key', 'token', 'session', 'password', 'link'] })
  means!: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'The key or the session.' })
  credential_id?: string;

  @ApiProperty({ example: 'user.deactivate' })
  action!: string;

  @ApiPropertyOptional()
  object_type?: string;

  @ApiPropertyOptional()
  object_id?: string;

  @ApiProperty({ description: 'Address that it came from.' })
  peer!: string;

  @ApiPropertyOptional()
  request_id?: string;

  @ApiPropertyOptional({ description: 'SHA-256 of the object before, as canonical JSON.' })
  before_digest?: string;

  @ApiPropertyOptional({ description: 'SHA-256 of the object, or of the answer, afterwards.' })
  after_digest?: string;
}

export class AuditListDto {
  @ApiProperty({ type: [AuditEntryDto] })
  items!: AuditEntryDto[];

  @ApiPropertyOptional()
  next_cursor?: string;
}

@ApiTags('audit')
@Controller('audit')
export class AuditController {
  constructor(private readonly audit: AuditStore) {}

  @Authenticated()
  @Get()
  @ApiOperation({ summary: 'Who did what to which object, newest first', description: 'Yours; administrators: all.' })
  @ApiOkResponse({ type: AuditListDto })
  @ApiProblems()
  async list(@CurrentCaller() who: Identity, @Query() query: AuditQuery): Promise<AuditListDto> {
    const { of = 'own', action, object: objectId, ...page } = query;
    if (of === 'all' && !holds(who.scopes, GLOBAL_ADMIN)) throw onlyOwn();
    const filter = { ...page, ...withoutNulls({ action, objectId }) };
    return pageBody(await this.audit.list(of === 'all' ? null : who.ownerId, filter), viewOf);
  }
}

function viewOf({ owner_id: user_id, actor, means, action, id, at, peer, ...rest }: AuditRow): AuditEntryDto {
  return { id, at, user_id, actor, means, action, peer, ...withoutNulls(rest) };
}

function onlyOwn(): AppError {
  return new AppError('scope_missing', `The trail of everybody needs the scope ${GLOBAL_ADMIN}.`, {
    category: 'forbidden',
  });
}
