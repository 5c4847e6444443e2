/** Servers of an API: those of the operation, else of its path, else of the whole description. */
import type { JsonObject } from '../../openapi/api-json.ts'
import type { PlaygroundServer, ServerVariable } from '../../openapi/playground-data.ts'
import { expandServerUrl, listServerTemplates } from '../../openapi/servers.ts'

export interface ApiServer {
  /** With default values for its variables, without a trailing slash. */
  url: string
  description: string
  variables: readonly ServerVariable[]
}

/** Used in samples if no server is known. */
export const EXAMPLE_SERVER = 'https://api.example.com'

/** `specUrl` is the URL of the description, the base of relative URLs; null for a file. */
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

/** Returns the servers that a browser can call: HTTP or HTTPS, with a host. */
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
