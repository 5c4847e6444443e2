/** Where an interface is served: of the operation, else of its path, else of the whole description. */
import type { JsonObject } from '../../openapi/api-json.ts'
import type { PlaygroundServer, ServerVariable } from '../../openapi/playground-data.ts'
import { fillServer, serverTemplates } from '../../openapi/servers.ts'

export interface ApiServer {
  /** With the defaults of its variables filled in, without a slash at the end. */
  url: string
  description: string
  variables: readonly ServerVariable[]
}

/** Stands in samples where no server is known. */
export const EXAMPLE_SERVER = 'https://api.example.com'

/** `specUrl`: where the description came from, against which relative addresses count; null for a file. */
export function serversOf(
  root: JsonObject,
  holders: readonly JsonObject[],
  specUrl: string | null,
): ApiServer[] {
  const servers = serverTemplates([...holders, root]).map((server): ApiServer => {
    const filled = fillServer(server)
    const url = specUrl === null ? filled : (URL.parse(filled, specUrl)?.href ?? filled)
    return { ...server, url: url.replace(/(?<!\/)\/+$/, '') }
  })
  return servers.filter((one, index) => servers.findIndex((other) => other.url === one.url) === index)
}

/** Those that a browser can call: over http, with a host of their own. */
export function callableServers(
  root: JsonObject,
  holders: readonly JsonObject[],
  specUrl: string | null,
): PlaygroundServer[] {
  return serverTemplates([...holders, root]).flatMap((server): PlaygroundServer[] => {
    const filled = fillServer(server)
    if (/^https?:\/\/[^/]/i.test(filled)) return [server]
    const whole = filled.startsWith('//')
      ? URL.parse(`https:${filled}`)
      : URL.parse(filled, specUrl ?? undefined)
    if (whole === null || !/^https?:$/.test(whole.protocol)) return []
    return [{ ...server, url: whole.href.replace(/(?<!\/)\/+$/, ''), variables: [] }]
  })
}
