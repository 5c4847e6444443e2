/**
 * The Model Context Protocol without sessions: each message is handled independently. From 2026-07-28 on,
 * every request names its protocol revision (`modern`). Earlier revisions begin with `initialize`, whose
 * response is not stored. https://modelcontextprotocol.io/specification/2026-07-28
 */
import { MethodFault, type MethodResult, type MethodTable } from './method.ts'

export const MODERN_VERSIONS: readonly string[] = ['2026-07-28']
/** Sorted from newest to oldest. */
export const LEGACY_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26']
const SUPPORTED_VERSIONS = [...MODERN_VERSIONS, ...LEGACY_VERSIONS]

const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
const METHOD_NOT_FOUND = -32601
const INVALID_PARAMS = -32602
const HEADER_MISMATCH = -32020
const UNSUPPORTED_VERSION = -32022

const META_KEY_PREFIX = 'io.modelcontextprotocol/'
/** Limited because responses echo ids. */
const MAX_ID_CHARACTERS = 200
const MAX_NAME_CHARACTERS = 100

export interface ServerInfo {
  name: string
  title: string
  version: string
}

export interface McpServer {
  info: ServerInfo
  instructions: string
  /** Whether caches may share stored results between clients. */
  cacheScope: 'public' | 'private'
  methods: MethodTable
}

/** HTTP headers of a request that repeat parts of the message. */
export interface McpHeaders {
  protocolVersion: string | undefined
  method: string | undefined
  name: string | undefined
}

export interface McpResponse {
  status: 200 | 202 | 400 | 404
  /** Null for a message that expects no response. */
  body: object | null
}

type Id = string | number
type Fields = Readonly<Record<string, unknown>>

interface Request {
  id: Id
  method: string
  params: Fields
  meta: Fields
}

/** `headers` is null for transports without headers. Never rejects because of the message's content. */
export async function handleMcpMessage(
  server: McpServer,
  message: unknown,
  headers: McpHeaders | null,
): Promise<McpResponse> {
  if (!isFields(message) || message.jsonrpc !== '2.0' || typeof message.method !== 'string')
    return errorResponse(400, null, INVALID_REQUEST, 'Send one JSON-RPC 2.0 request or notification.')
  if (message.id === undefined) return { status: 202, body: null }
  if (!isId(message.id))
    return errorResponse(
      400,
      null,
      INVALID_REQUEST,
      `An id must be a whole number or a string of up to ${MAX_ID_CHARACTERS} characters.`,
    )
  const params = message.params ?? {}
  if (!isFields(params))
    return errorResponse(400, message.id, INVALID_PARAMS, 'The params must be a JSON object.')
  const meta = isFields(params._meta) ? params._meta : {}
  const request = { id: message.id, method: message.method, params, meta }
  return meta[`${META_KEY_PREFIX}protocolVersion`] === undefined && !isModern(headers?.protocolVersion)
    ? handleLegacyRequest(server, request, headers)
    : handleModernRequest(server, request, headers)
}

export function parseErrorResponse(): McpResponse {
  return errorResponse(400, null, PARSE_ERROR, 'The message is not JSON.')
}

function isModern(version: string | undefined): boolean {
  return version !== undefined && MODERN_VERSIONS.includes(version)
}

async function handleModernRequest(
  server: McpServer,
  request: Request,
  headers: McpHeaders | null,
): Promise<McpResponse> {
  const { id, method, meta } = request
  const version = meta[`${META_KEY_PREFIX}protocolVersion`]
  const mismatch = headers === null ? null : headerFault(request, headers)
  if (mismatch !== null) return errorResponse(400, id, HEADER_MISMATCH, mismatch)
  if (typeof version !== 'string' || !isFields(meta[`${META_KEY_PREFIX}clientCapabilities`])) {
    const missing = `Send \`${META_KEY_PREFIX}protocolVersion\` and \`${META_KEY_PREFIX}clientCapabilities\` in the params' _meta.`
    return errorResponse(400, id, INVALID_PARAMS, missing)
  }
  if (!isModern(version)) return unsupportedVersionResponse(id, version)
  if (method === 'server/discover')
    return result(server, id, { ...discoveryResult(server), ttlMs: DISCOVERY_TTL_MS })
  const run = server.methods.get(method)
  if (run === undefined) return errorResponse(404, id, METHOD_NOT_FOUND, describeUnknownMethod(method))
  return runMethod(request, run, (fields) => result(server, id, fields))
}

const DISCOVERY_TTL_MS = 3_600_000

function headerFault({ method, params, meta }: Request, headers: McpHeaders): string | null {
  const expectations: [string, string | undefined, unknown][] = [
    ['MCP-Protocol-Version', headers.protocolVersion, meta[`${META_KEY_PREFIX}protocolVersion`]],
    ['Mcp-Method', headers.method, method],
  ]
  const name = NAME_PARAMS[method]
  if (name !== undefined) expectations.push(['Mcp-Name', decodeHeader(headers.name), params[name]])
  for (const [header, given, said] of expectations) {
    if (given === undefined) return `Header mismatch: send the header ${header}.`
    if (given !== said) return `Header mismatch: ${header} does not match the message.`
  }
  return null
}

const NAME_PARAMS: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'resources/read': 'uri',
  'prompts/get': 'name',
}

/** Decodes values that are not plain ASCII from `=?base64?…?=`. */
function decodeHeader(value: string | undefined): string | undefined {
  const encoded = value === undefined ? null : /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value)
  return encoded ? Buffer.from(encoded[1] as string, 'base64').toString('utf8') : value
}

async function handleLegacyRequest(
  server: McpServer,
  request: Request,
  headers: McpHeaders | null,
): Promise<McpResponse> {
  const { id, method, params } = request
  const plain = (fields: object): McpResponse => ({
    status: 200,
    body: { jsonrpc: '2.0', id, result: addCacheScope(server, fields) },
  })
  if (method === 'initialize') {
    const requestedVersion = params.protocolVersion
    const protocolVersion =
      LEGACY_VERSIONS.find((version) => version === requestedVersion) ?? LEGACY_VERSIONS[0]
    const { capabilities, instructions } = discoveryResult(server)
    return plain({ protocolVersion, capabilities, serverInfo: server.info, instructions })
  }
  const version = headers?.protocolVersion
  if (version !== undefined && !LEGACY_VERSIONS.includes(version))
    return unsupportedVersionResponse(id, version)
  if (method === 'ping') return plain({})
  const run = server.methods.get(method)
  if (run === undefined) return errorResponse(200, id, METHOD_NOT_FOUND, describeUnknownMethod(method))
  return runMethod(request, run, plain)
}

async function runMethod(
  { id, params }: Request,
  run: (params: Fields) => Promise<MethodResult>,
  answer: (fields: object) => McpResponse,
): Promise<McpResponse> {
  try {
    return answer(await run(params))
  } catch (error) {
    if (!(error instanceof MethodFault)) throw error
    return errorResponse(200, id, INVALID_PARAMS, error.message)
  }
}

function discoveryResult({ instructions }: McpServer) {
  return { supportedVersions: SUPPORTED_VERSIONS, capabilities: { tools: {}, resources: {} }, instructions }
}

function result(server: McpServer, id: Id, fields: object): McpResponse {
  const _meta = { [`${META_KEY_PREFIX}serverInfo`]: server.info }
  const complete = { resultType: 'complete', ...addCacheScope(server, fields), _meta }
  return { status: 200, body: { jsonrpc: '2.0', id, result: complete } }
}

/** Adds the cache scope to every result that has a lifetime. */
function addCacheScope({ cacheScope }: McpServer, fields: object): object {
  return 'ttlMs' in fields ? { ...fields, cacheScope } : fields
}

function unsupportedVersionResponse(id: Id, requested: string): McpResponse {
  const data = { supported: SUPPORTED_VERSIONS, requested: requested.slice(0, MAX_NAME_CHARACTERS) }
  return errorResponse(400, id, UNSUPPORTED_VERSION, 'Unsupported protocol version', data)
}

function describeUnknownMethod(method: string): string {
  return `There is no method ${method.slice(0, MAX_NAME_CHARACTERS)}.`
}

function errorResponse(
  status: McpResponse['status'],
  id: Id | null,
  code: number,
  message: string,
  data?: object,
): McpResponse {
  const error = { code, message, ...(data === undefined ? {} : { data }) }
  return { status, body: { jsonrpc: '2.0', ...(id === null ? {} : { id }), error } }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' ? value.length <= MAX_ID_CHARACTERS : Number.isSafeInteger(value)
}
