/**
 * Returns servers of an API: those of the operation or, if it has none, of the path or the whole description.
 */
import type { JsonObject } from '../../openapi/api-json.ts'
import type { PlaygroundServer, ServerVariable } from '../../openapi/playground-data.ts'
import { expandServerUrl, listServerTemplates } from '../../openapi/servers.ts'

export interface ApiServer {
  /** Variables are replaced with their defaults. Without a trailing slash. */
  url: string
  description: string
  variables: readonly ServerVariable[]
}

/** Used in samples if the description has no server. */
export const EXAMPLE_SERVER = 'https://api.example.com'

/** Relative URLs are resolved against `specUrl`, the URL of the description; null for a file. */
export function listServers(
  root: JsonObject,
  holders: readonly JsonObject[],
  specUrl: string | null,
): ApiServer[] {
  const servers = listServerTemplates([...holders, root]).map((server): ApiServer => {
    const filled = expandServerUrl(server)
    const url = specUrl === null ? filled : (URL.parse(filled, specUrl)?.href ?? filled)
    return { ...server, url: url.replace(/(?<!\/)\/+$/, '') }
  })
  return servers.filter((one, index) => servers.findIndex((other) => other.url === one.url) === index)
}

/** Returns servers with an absolute HTTP or HTTPS URL, which browsers can call. */
export function listCallableServers(
  root: JsonObject,
  holders: readonly JsonObject[],
  specUrl: string | null,
): PlaygroundServer[] {
  return listServerTemplates([...holders, root]).flatMap((server): PlaygroundServer[] => {
    const filled = expandServerUrl(server)
    if (/^https?:\/\/[^/]/i.test(filled)) return [server]
    const whole = filled.startsWith('//')
      ? URL.parse(`https:${filled}`)
      : URL.parse(filled, specUrl ?? undefined)
    if (whole === null || !/^https?:$/.test(whole.protocol)) return []
    return [{ ...server, url: whole.href.replace(/(?<!\/)\/+$/, ''), variables: [] }]
  })
}
