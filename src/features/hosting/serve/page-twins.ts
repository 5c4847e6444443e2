/** Selects the requests that get the Markdown twin of a page, and creates the headers that link to twins. */

import { encodePath } from '../../../render/html/encode-path.ts'
import { PAGE_LIST_FILE } from '../../../render/outputs/page-list.ts'
import type { SiteManifest } from '../../../render/versions/manifest.ts'
import { MCP_CARD_PATH } from '../../mcp/operations/mcp.ts'

export function markdownTwinName(manifest: Pick<SiteManifest, 'files'>, name: string): string | null {
  const twin = name.replace(/\.html$/, '.md')
  return twin !== name && Object.hasOwn(manifest.files, twin) ? twin : null
}

/** Links a page to its twin and the site's lists, and a twin to its page. Search engines must skip twins. */
export function pageTwinHeaders(manifest: Pick<SiteManifest, 'files'>, name: string): Record<string, string> {
  if (name.endsWith('.md')) {
    const page = name.replace(/\.md$/, '')
    const isTwin = Object.hasOwn(manifest.files, `${page}.html`)
    if (!isTwin) return {}
    const path = page === 'index' ? '/' : `/${encodePath(page)}`
    return { 'x-robots-tag': 'noindex', link: `<${path}>; rel="canonical"`, vary: 'accept-encoding, accept' }
  }
  if (!name.endsWith('.html')) return {}
  const links: string[] = []
  const twin = markdownTwinName(manifest, name)
  if (twin !== null) links.push(`</${encodePath(twin)}>; rel="alternate"; type="text/markdown"`)
  if (Object.hasOwn(manifest.files, PAGE_LIST_FILE))
    links.push(`<${MCP_CARD_PATH}>; rel="mcp-server-card"; type="application/mcp-server-card+json"`)
  const hasList = Object.hasOwn(manifest.files, 'llms.txt')
  if (hasList) links.push('</llms.txt>; rel="llms-txt"', '</llms-full.txt>; rel="llms-full-txt"')
  return {
    vary: 'accept-encoding, accept',
    ...(links.length > 0 ? { link: links.join(', ') } : {}),
    ...(hasList ? { 'x-llms-txt': '/llms.txt' } : {}),
  }
}
