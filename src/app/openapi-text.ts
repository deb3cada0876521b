import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';
import type { Database } from '../../infra/db/database';
import type { ApiDeps } from './deps';
import { createHttpServer } from './http-server';
import { createOpenApi } from './openapi';
import { openStores } from './stores';
import { PREFIX_OPTIONS, PREFIX } from './prefix';

/** The document without a running application: in preview mode nothing is made or connected, so no dependency is needed. */
export async function openApiText(): Promise<string> {
  const nothing = { stores: openStores({} as Database) } as ApiDeps;
  const server = createHttpServer({
    allowedHosts: [],
    maxUploadBytes: 0,
    closing: () => false,
    log: { info: () => undefined },
  });
  const app = await NestFactory.create(AppModule.of(nothing), server, {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  app.setGlobalPrefix(PREFIX, PREFIX_OPTIONS);
  return `${JSON.stringify(createOpenApi(app), null, 2)}\n`;
}
