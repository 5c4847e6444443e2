/** Creates a script with the playground data of a page. */
import type { FileTree } from '../../base/files/file-tree.ts'
import { sha256 } from '../../base/hash.ts'
import { asArray, asObject, followReference, type JsonObject } from '../../openapi/api-json.ts'
import {
  PLAYGROUND_GLOBAL,
  type PlaygroundData,
  type PlaygroundServer,
} from '../../openapi/playground-data.ts'
import { listServerUrls } from '../../openapi/servers.ts'
import type { Site, SitePage } from '../../site/model.ts'
import { isSpecUrl } from '../../site/reference/spec-sources.ts'
import { readTextFile } from '../../site/text.ts'
import { createFieldScope } from '../api/field-scope.ts'
import { createHandWrittenScheme, readFields } from '../api/hand-written.ts'
import { findOperation, mergeParameters } from '../api/operation.ts'
import { channelSource } from '../api/playground-channel.ts'
import { type PlaygroundSource, playgroundData } from '../api/playground-operation.ts'
import { LIMITS } from '../api/reference.ts'
import { listCallableServers } from '../api/servers.ts'
import { type BuiltInFile, hashed } from '../machinery/built-ins.ts'
import { pickApiTexts } from '../words/api-texts.ts'
import { uiText } from '../words/ui-text.ts'

/** Returns null if there is no playground: no operation, no reachable server, or disabled by the author. */
export async function playgroundFile(
  site: Site,
  tree: FileTree,
  page: SitePage,
): Promise<BuiltInFile<string> | null> {
  const data = await pagePlayground(site, tree, page)
  if (data === null) return null
  // Before ES2019, line separators ended a string literal.
  const json = JSON.stringify(data).replace(
    /[\u2028\u2029]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16)}`,
  )
  return hashed('try', 'js', `globalThis.${PLAYGROUND_GLOBAL}=${json}\n`)
}

/** Returns URLs of servers for the playgrounds of a site, without duplicates. */
export function siteServers(site: Site): string[] {
  const found = new Set<string>()
  for (const page of site.pages.values()) {
    if (!isWanted(site, page)) continue
    const servers = page.operation
      ? (findOpenApiSource(site, page)?.servers ?? [])
      : listFrontmatterServers(site, page)
    for (const server of servers) for (const url of listServerUrls(server)) found.add(url)
    if (found.size > MAX_SERVERS) break
  }
  return [...found].slice(0, MAX_SERVERS).sort()
}

const MAX_SERVERS = 1000

export async function pagePlayground(
  site: Site,
  tree: FileTree,
  page: SitePage,
): Promise<PlaygroundData | null> {
  if (!isWanted(site, page)) return null
  const source = page.operation
    ? (findOpenApiSource(site, page) ?? findChannelSource(site, page))
    : await createFrontmatterSource(site, tree, page)
  if (source === null || source.servers.length === 0) return null
  const root = page.operation ? (site.apis.get(page.operation.spec)?.root ?? {}) : {}
  const bounds = { depth: LIMITS.depths[0], fieldsLeft: LIMITS.fields }
  const scope = createFieldScope(root, site.config.api, pickApiTexts(uiText(page.language)), bounds)
  return playgroundData(scope, source)
}

/** `auth` is not supported, because it would require readers to be signed in. */
function isWanted(site: Site, { frontmatter }: SitePage): boolean {
  const { playground } = frontmatter
  return (typeof playground === 'string' ? playground : site.config.api.playground) === 'interactive'
}

function findOpenApiSource(site: Site, { operation: operationRef }: SitePage): PlaygroundSource | null {
  const document = operationRef && site.apis.get(operationRef.spec)
  if (
    !document ||
    document.kind === 'asyncapi' ||
    /^(?:SCHEMA|CHANNEL|WEBHOOK|TRACE)$/.test(operationRef.method)
  )
    return null
  const { root } = document
  const found = findOperation(root, operationRef)
  if (!found) return null
  const { operation, item, method } = found
  return {
    id: createId(operationRef.spec, method, operationRef.path),
    method,
    path: operationRef.path,
    servers: listCallableServers(
      root,
      [operation, item],
      isSpecUrl(operationRef.spec) ? operationRef.spec : null,
    ),
    parameters: mergeParameters(root, item, operation),
    body: followReference(root, operation.requestBody),
    ways: asArray(operation.security ?? root.security).map(asObject),
    schemes: asObject(asObject(root.components).securitySchemes),
  }
}

/** Returns WebSocket channels separately, because the server does not proxy them. */
function findChannelSource(site: Site, { operation: operationRef }: SitePage): PlaygroundSource | null {
  const document = operationRef && site.apis.get(operationRef.spec)
  if (!document || document.kind !== 'asyncapi') return null
  const source = channelSource(document.root, operationRef)
  return source && { id: createId(operationRef.spec, operationRef.method, operationRef.path), ...source }
}

const CALL = /^\s*(GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH)\s+(\S+)/i

async function createFrontmatterSource(
  site: Site,
  tree: FileTree,
  page: SitePage,
): Promise<PlaygroundSource | null> {
  const { api, authMethod } = page.frontmatter
  const call = typeof api === 'string' ? CALL.exec(api) : null
  if (!call || page.file === null) return null
  const method = (call[1] as string).toUpperCase()
  const { path } = splitAddress(call[2] as string)
  const auth = typeof authMethod === 'string' ? authMethod : site.config.api.authMethod
  const named = createHandWrittenScheme({ auth, authName: site.config.api.authName })
  const schemes: JsonObject = named ? { [named.name]: named.scheme } : {}
  return {
    id: createId(page.file, method, call[2] as string),
    method,
    path: path.replace(/(?<=\/):([A-Za-z_]\w*)/g, '{$1}'),
    servers: listFrontmatterServers(site, page),
    ...readFields(await readTextFile(tree, page.file)),
    ways: named ? [{ [named.name]: [] }] : [],
    schemes,
  }
}

/** Returns the servers of a page with `api` in its frontmatter. */
function listFrontmatterServers(site: Site, { frontmatter: { api } }: SitePage): PlaygroundServer[] {
  const call = typeof api === 'string' ? CALL.exec(api) : null
  if (!call) return []
  const { origin } = splitAddress(call[2] as string)
  const urls = origin === null ? site.config.api.baseUrls : [origin]
  return urls
    .filter((url) => /^https?:\/\/[^/]/i.test(url))
    .map((url) => ({ url: url.replace(/(?<!\/)\/+$/, ''), description: '', variables: [] }))
}

function splitAddress(address: string): { origin: string | null; path: string } {
  const start = /^https?:\/\/(?=[^/?#])/i.exec(address)?.[0].length
  if (start === undefined) return { origin: null, path: address }
  const length = address.slice(start).search(/[/?#]/)
  if (length === -1) return { origin: address, path: '/' }
  return { origin: address.slice(0, start + length), path: address.slice(start + length) }
}

function createId(...parts: string[]): string {
  return sha256(parts.join('\n')).slice(0, 12)
}
