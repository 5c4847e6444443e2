/** OpenAPI description of a site's MCP server and its discovery. */

import { operationTitle } from '../../base/api/operation-title.ts'
import { AI_CATALOG_PATH, MCP_CARD_PATH, MCP_PATH } from '../../features/mcp/operations/mcp.ts'
import { MCP_READER_PATH, MCP_SITE_PATH } from '../../features/reader/operations/reader.ts'
import { headerRef, IDEMPOTENCY_KEY, refusals, SITE_ID } from './reader-description.ts'

type Json = { [key: string]: unknown }

const HEADERS: Json = Object.fromEntries(
  ['X-Request-Id', 'RateLimit-Policy', 'RateLimit'].map((name) => [name, headerRef(name)]),
)

const MESSAGE: Json = {
  type: 'object',
  required: ['jsonrpc'],
  properties: { jsonrpc: { const: '2.0' } },
}

const jsonResponse = (description: string): Json => ({
  description,
  headers: HEADERS,
  content: { 'application/json': { schema: MESSAGE } },
})

const responsesWithErrors = (description: string): Json => ({
  description,
  content: {
    'application/json': { schema: { anyOf: [MESSAGE, { $ref: '#/components/schemas/Error' }] } },
  },
})

function endpoint(operationId: string, location: string, parameters: Json[] = []): Json {
  return {
    post: {
      operationId,
      summary: operationTitle(operationId),
      description: `Send a Model Context Protocol (MCP) message (protocol versions 2026-07-28, and 2025-03-26 to 2025-11-25). The tools search and read the pages of a site.\n\n${location}`,
      tags: ['Reader'],
      security: [],
      parameters: [...parameters, IDEMPOTENCY_KEY],
      requestBody: { required: true, content: { 'application/json': { schema: MESSAGE } } },
      responses: {
        200: jsonResponse('A JSON-RPC response: a result or an error.'),
        202: { description: 'The notification was accepted.', headers: HEADERS },
        400: responsesWithErrors('The message is invalid or contradicts the headers.'),
        404: responsesWithErrors('Unknown method or site.'),
        ...refusals(403, 405, 408, 409, 413, 415, 422, 429, 431, 500, 503),
      },
    },
  }
}

function document(operationId: string, sentence: string, contentType: string): Json {
  return {
    get: {
      operationId,
      summary: operationTitle(operationId),
      description: `${sentence}.\n\nAvailable at the host name of a published site.`,
      tags: ['Reader'],
      security: [],
      responses: {
        200: {
          description: 'The document.',
          headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
          content: { [contentType]: { schema: { type: 'object' } } },
        },
        ...refusals(404, 405, 408, 431, 500, 503),
      },
    },
  }
}

const HOSTED_DESCRIPTION = 'Served at the host name of a published site.'

export const MCP_PATHS: Record<string, Json> = {
  [MCP_PATH]: endpoint('sendMcpMessage', HOSTED_DESCRIPTION),
  [MCP_READER_PATH]: endpoint('sendMcpMessageToReaderApi', HOSTED_DESCRIPTION),
  [MCP_SITE_PATH]: endpoint('sendMcpMessageBySite', "At the API's host.", [SITE_ID]),
  [MCP_CARD_PATH]: document(
    'getMcpServerCard',
    "Return the name and URL of the site's MCP server",
    'application/mcp-server-card+json',
  ),
  [AI_CATALOG_PATH]: document(
    'getAiCatalog',
    'List what the site offers AI agents: its MCP server',
    'application/ai-catalog+json',
  ),
}
