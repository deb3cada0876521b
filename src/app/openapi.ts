import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { ProblemDto } from '../http/problem.dto';
import { PREFIX } from './prefix';
import { EVENT_SCHEMAS } from '../runs/events/event-types';

/** The document that clients are generated from; `npm run openapi` writes it to a file. */
export function createOpenApi(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Agent Factory')
    .setDescription(
      'Define playbooks, let them run durably, decide what waits for a person. Errors are RFC 9457 problem details with a stable `code`.',
    )
    .setVersion('1')
    .setOpenAPIVersion('3.1.0')
    .build();
  const document = SwaggerModule.createDocument(app, config, { extraModels: [ProblemDto, ...EVENT_SCHEMAS] });
  // Another name for runs, with the same handlers: one typed client is enough.
  const paths = Object.entries(document.paths).filter(([path]) => !path.startsWith(`/${PREFIX}/executions`));
  return { ...document, paths: Object.fromEntries(paths) };
}

/** Outside the prefix on purpose: exactly `/api/docs` and `/api/docs-json`. */
export function serveOpenApi(app: INestApplication): void {
  SwaggerModule.setup('api/docs', app, () => createOpenApi(app), {
    jsonDocumentUrl: 'api/docs-json',
    useGlobalPrefix: false,
    customSiteTitle: 'Agent Factory API',
  });
}
