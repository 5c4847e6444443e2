/** The line of an API page that says what is called: method as a coloured word, path, copy. */
import type { SitePage } from '../../site/model.ts'
import { escapeHtml } from './html.ts'
import type { UiText } from './ui-text.ts'

interface Endpoint {
  /** Upper case. */
  method: string
  path: string
}

/** Of a page made from a spec, or of one that names it by `api: POST /path`. */
export function endpointOf(page: SitePage): Endpoint | null {
  if (page.operation) return { method: page.operation.method, path: page.operation.path }
  const { api } = page.frontmatter
  const match = typeof api === 'string' ? /^\s*([A-Za-z]+)\s+(\S+)/.exec(api) : null
  return match ? { method: (match[1] ?? '').toUpperCase(), path: match[2] ?? '' } : null
}

export function methodOf(page: SitePage): string | null {
  return endpointOf(page)?.method ?? null
}

export function apiBar(page: SitePage, text: UiText): string {
  const endpoint = endpointOf(page)
  if (!endpoint) return ''
  const path = escapeHtml(endpoint.path).replace(
    /\{[^}]*\}|(?<=\/):[A-Za-z_]\w*/g,
    (parameter) => `<span class="api-parameter">${parameter}</span>`,
  )
  return `<div class="api-bar"><span class="method-pill" data-method="${escapeHtml(endpoint.method)}">${escapeHtml(endpoint.method)}</span><code class="api-path">${path}</code><button type="button" class="icon-button copy-button" data-copy="${escapeHtml(endpoint.path)}" aria-label="${escapeHtml(text.copy)}"><span class="copy-glyph" aria-hidden="true"></span></button></div>`
}
