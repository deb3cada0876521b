import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SeenVersion } from '../../infra/db/row-version';
import { Authenticated } from '../access/rules';
import { ApiProblems, ApiUpload } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import type { VersionedBody } from '../http/etag';
import { Idempotent, OnceOnly } from '../http/idempotency/idempotent';
import type { Once } from '../http/idempotency/once';
import { IdPipe } from '../http/ids';
import { ChangesVersion, IfMatch, ReadsVersion, ShowsVersion } from '../http/versions';
import { contentDisposition } from './document-name';
import { DocumentsService } from './documents.service';
import {
  ChangeDocumentDto,
  DocumentDto,
  DocumentListDto,
  DocumentListQuery,
  UploadFormDto,
  UploadQuery,
} from './dto/document.dto';
import { uploadOf } from './upload-of';

@ApiTags('documents')
@Controller('documents')
export class DocumentsController {
  constructor(private readonly documents: DocumentsService) {}

  @Authenticated()
  @Post()
  @ApiOperation({
    summary: 'Upload a document',
    description:
      'At most 64 MB (AF_MAX_UPLOAD_MB). Either the bytes alone, with the `name` in the query, or a form with one `file`, whose own name counts where no other is given.',
  })
  @ApiUpload(UploadFormDto)
  @ApiCreatedResponse({ type: DocumentDto })
  @Idempotent()
  @ShowsVersion()
  @ApiProblems(404, 413, 415)
  upload(
    @CurrentCaller() caller: CallerInfo,
    @Query() query: UploadQuery,
    @Req() request: FastifyRequest,
    @OnceOnly() once: Once,
  ): Promise<VersionedBody<DocumentDto>> {
    return this.documents.upload(caller, uploadOf(query, request.body), once);
  }

  @Authenticated()
  @Get()
  @ApiOperation({ summary: 'Documents, newest first' })
  @ApiOkResponse({ type: DocumentListDto })
  @ApiProblems()
  list(@CurrentCaller() caller: CallerInfo, @Query() query: DocumentListQuery): Promise<DocumentListDto> {
    return this.documents.list(caller, query);
  }

  @Authenticated()
  @Get(':documentId')
  @ApiOperation({ summary: 'Facts about a document' })
  @ApiOkResponse({ type: DocumentDto })
  @ReadsVersion()
  @ApiProblems(404)
  get(
    @CurrentCaller() caller: CallerInfo,
    @Param('documentId', IdPipe) documentId: string,
  ): Promise<VersionedBody<DocumentDto>> {
    return this.documents.get(caller, documentId);
  }

  @Authenticated()
  @Patch(':documentId')
  @ApiOperation({ summary: 'Rename a document, or move it' })
  @ApiOkResponse({ type: DocumentDto })
  @ChangesVersion()
  @ShowsVersion()
  @ApiProblems(404)
  change(
    @CurrentCaller() caller: CallerInfo,
    @Param('documentId', IdPipe) documentId: string,
    @Body() body: ChangeDocumentDto,
    @IfMatch() seen: SeenVersion,
  ): Promise<VersionedBody<DocumentDto>> {
    return this.documents.change(caller, documentId, body, seen);
  }

  @Authenticated()
  @Delete(':documentId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a document', description: 'Runs that made or read it keep its content.' })
  @ApiNoContentResponse({ description: 'Removed.' })
  @ChangesVersion()
  remove(
    @CurrentCaller() caller: CallerInfo,
    @Param('documentId', IdPipe) documentId: string,
    @IfMatch() seen: SeenVersion,
  ): Promise<void> {
    return this.documents.remove(caller, documentId, seen);
  }

  @Authenticated()
  @Get(':documentId/download')
  @ApiOperation({ summary: 'The bytes of a document, always as an attachment' })
  @ApiOkResponse({
    description: 'The content.',
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  })
  @ApiProblems(404, 410)
  async download(
    @CurrentCaller() caller: CallerInfo,
    @Param('documentId', IdPipe) documentId: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { name, mediaType, bytes } = await this.documents.download(caller, documentId);
    // A document may be a web page: a browser must neither show nor guess it.
    await reply
      .headers({
        'content-type': mediaType,
        'content-disposition': contentDisposition(name),
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'private, no-store',
      })
      .send(bytes);
  }
}
