import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { SchemaWatch } from '../../infra/db/schema-watch';
import { DatabaseDeadlineInterceptor } from '../http/database-deadline.interceptor';
import { IdempotencyInterceptor } from '../http/idempotency/idempotency.interceptor';
import { MediaInterceptor } from '../http/media.interceptor';
import { ProblemFilter } from '../http/problem.filter';
import { createValidationPipe } from '../http/validation';
import { VersionInterceptor } from '../http/version.interceptor';
import { WriteRateInterceptor } from '../http/write-rate.interceptor';
import { AppModule } from './app.module';
import type { ApiDeps } from './deps';
import { createHttpServer } from './http-server';
import { nestLog } from './nest-log';
import { serveOpenApi } from './openapi';
import { PREFIX, PREFIX_OPTIONS } from './prefix';

export interface Api {
  app: INestApplication;
  /** Refuses new requests, lets running ones finish, and ends the streams. May be called again. */
  close(): Promise<void>;
}

/** The whole application, not listening yet. */
export async function createApi(deps: ApiDeps): Promise<Api> {
  const state = { closing: undefined as Promise<void> | undefined };
  const server = createHttpServer({
    allowedHosts: deps.settings.allowedHosts,
    maxUploadBytes: deps.settings.maxUploadBytes,
    temporalUi: deps.settings.temporalUiOrigin,
    closing: () => state.closing !== undefined,
    log: deps.log,
  });
  const app = await NestFactory.create(AppModule.of(deps), server, {
    bodyParser: false,
    abortOnError: false,
    logger: nestLog(deps.log),
  });
  app.setGlobalPrefix(PREFIX, PREFIX_OPTIONS);
  app.useGlobalFilters(
    new ProblemFilter(
      (error, requestId) => deps.log.error({ err: error, requestId }, 'unexpected error'),
      app.get(SchemaWatch),
    ),
  );
  app.useGlobalPipes(createValidationPipe());
  app.useGlobalInterceptors(
    new DatabaseDeadlineInterceptor(deps.probe),
    new WriteRateInterceptor(deps.settings.writesPerSecond),
    new MediaInterceptor(),
    new VersionInterceptor(),
    new IdempotencyInterceptor(deps.database, deps.stores.idempotency),
  );
  serveOpenApi(app);
  return {
    app,
    close: () => (state.closing ??= shutDown(app, deps)),
  };
}

async function shutDown(app: INestApplication, deps: ApiDeps): Promise<void> {
  // A round that is under way may wait for a silent Temporal: the code that releases the connection waits for it, not this one.
  for (const loop of deps.loops) void loop.stop();
  await app.close();
}
