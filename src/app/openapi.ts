import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { SESSION_COOKIE } from '../access/credential';
import { ACCESS_EXTENSION } from '../access/rules';
import { ClosedEvent, EventOrigin, ResetEvent } from '../events/stream-events.dto';
import { ProblemDto } from '../http/problem.dto';
import { PREFIX } from './prefix';
import { EVENT_SCHEMAS } from '../runs/events/event-types';
import { operationId } from './operation-id';
import { withEventUnion } from './openapi-events';
import { withBodyExamples } from './openapi-examples';
import { withConventions } from './openapi-conventions';
import { withSharedProblems } from './openapi-problems';

/** The document that clients are generated from; `npm run openapi` writes it to a file. */
export function createOpenApi(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Agent Factory')
    .setDescription(
      'Define playbooks, let them run durably, decide what waits for a person. Errors are RFC 9457 problem details with a stable `code`.',
    )
    .setVersion('1')
    .setOpenAPIVersion('3.1.0')
    .addServer('/', 'Where this document comes from')
    .addServer('http://127.0.0.1:{port}', 'The embedded profile', { port: { default: '3000' } })
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key' }, 'api_key')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, 'access_token')
    .addCookieAuth(SESSION_COOKIE, { type: 'apiKey', in: 'cookie' }, 'session')
    .addSecurityRequirements('api_key')
    .addSecurityRequirements('access_token')
    .addSecurityRequirements('session')
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    extraModels: [ProblemDto, ...EVENT_SCHEMAS, EventOrigin, ResetEvent, ClosedEvent],
    operationIdFactory: operationId,
  });
  openPublicRoutes(document);
  return withSharedProblems(withEventUnion(withBodyExamples(withConventions(withoutSecondNames(document)))));
}

/** `executions` is another name for runs, with the same handlers: one typed client is enough. */
function withoutSecondNames(document: OpenAPIObject): OpenAPIObject {
  const paths = Object.entries(document.paths).filter(([path]) => !path.startsWith(`/${PREFIX}/executions`));
  for (const operation of paths.flatMap(([, path]) => Object.values(path) as OperationObject[])) {
    // Removes the number that operations of a handler with two names have behind their id.
    if (operation.operationId !== undefined) operation.operationId = operation.operationId.replace(/\[\d+\]$/, '');
  }
  return { ...document, paths: Object.fromEntries(paths) };
}

/** The document asks for a credential everywhere; these routes do without. */
function openPublicRoutes(document: OpenAPIObject): void {
  for (const path of Object.values(document.paths)) {
    for (const operation of Object.values(path) as (OperationObject & { [ACCESS_EXTENSION]?: string })[]) {
      if (operation[ACCESS_EXTENSION] === 'public') operation.security = [];
    }
  }
}

type OperationObject = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** The page comes without either; its own button switches the dark colours. */
const PHONE_AND_NIGHT = `
document.head.insertAdjacentHTML('beforeend', '<meta name="viewport" content="width=device-width,initial-scale=1">');
if (matchMedia('(prefers-color-scheme: dark)').matches) document.documentElement.classList.add('dark-mode');
`;

/** No answer has links, and their column alone makes a phone scroll sideways. In the dark theme some labels would stay as dark as in the light one. */
const NARROW_AND_NIGHT = `
.swagger-ui .response-col_links{display:none}
.swagger-ui .responses-inner,.swagger-ui .parameters-container{overflow-x:auto}
.dark-mode .swagger-ui :is(.examples-select__section-label,.headers-wrapper,.headers-wrapper *){color:#e4e6e6}
`;

/** Outside the prefix on purpose: exactly `/api/docs` and `/api/docs-json`. */
export function serveOpenApi(app: INestApplication): void {
  SwaggerModule.setup('api/docs', app, () => createOpenApi(app), {
    jsonDocumentUrl: 'api/docs-json',
    useGlobalPrefix: false,
    customSiteTitle: 'Agent Factory API',
    customJsStr: PHONE_AND_NIGHT,
    customCss: NARROW_AND_NIGHT,
    swaggerOptions: { docExpansion: 'none', filter: true },
  });
}
