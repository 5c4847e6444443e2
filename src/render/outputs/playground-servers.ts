/** The servers that readers of a site may reach through the platform: a file of the version, read when they are asked for. */
import { type BuiltInFile, hashed } from '../machinery/built-ins.ts'
import type { RenderInput } from '../page/render-input.ts'
import { siteServers } from './page-playground.ts'
import { hasPlaygroundProxy } from './platform-file.ts'

/** Null for a site without calls, without a form for them, or with nobody to go through. */
export function playgroundServersFile(input: RenderInput): BuiltInFile | null {
  if (!hasPlaygroundProxy(input)) return null
  const servers = siteServers(input.site)
  return servers.length === 0 ? null : hashed('servers', 'json', JSON.stringify(servers))
}
