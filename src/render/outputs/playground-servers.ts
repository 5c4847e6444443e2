/** Servers that a site's readers may call through the platform: a file of the version, read on demand. */
import { type BuiltInFile, hashed } from '../machinery/built-ins.ts'
import type { RenderInput } from '../page/render-input.ts'
import { siteServers } from './page-playground.ts'
import { hasPlaygroundProxy } from './platform-file.ts'

/** Returns null for a site without API calls, without playground, or without a platform as proxy. */
export function playgroundServersFile(input: RenderInput): BuiltInFile | null {
  if (!hasPlaygroundProxy(input)) return null
  const servers = siteServers(input.site)
  return servers.length === 0 ? null : hashed('servers', 'json', JSON.stringify(servers))
}
