/** What a request to the preview is answered with. Only GET and HEAD come here. */

import { originHeaders } from '../base/api/origins.ts'
import { PREVIEW_PATH } from '../base/api/preview.ts'
import { sha256 } from '../base/hash.ts'
import { wantsMarkdown } from '../base/net/wants-markdown.ts'
import { resolveAddress } from '../features/hosting/serve/resolve-address.ts'
import { contentTypeOf } from '../render/versions/content-types.ts'
import type { PreviewPages } from './preview-pages.ts'

export interface Answer {
  status: number
  headers: Record<string, string>
  body: Uint8Array | string
}

const SCRIPT_PATH = `${PREVIEW_PATH}preview.js`

export interface AnswerDeps {
  pages: PreviewPages
  /** Text of the script that every page carries. */
  script: string
}

/** The address is looked up as a published site would: redirects first, then pages, then files. */
export async function answerTo(
  { pages, script }: AnswerDeps,
  target: string,
  accept: string,
): Promise<Answer> {
  if (target.split('?', 1)[0] === SCRIPT_PATH) return fileAnswer(SCRIPT_PATH, script)
  const site = pages.site()
  const address = resolveAddress(
    { hasPage: pages.has, redirects: site?.redirects ?? [], start: pages.start() },
    target,
  )
  if (address.kind === 'refused')
    return { status: 400, headers: { 'content-type': 'text/plain' }, body: 'Bad path\n' }
  if (site === null) return pageAnswer(503, await pages.page('/'))
  if (address.kind === 'moved') return moved(address.location)
  const { path } = address

  const isPage = pages.has(path)
  if (isPage && !wantsMarkdown(accept)) return pageAnswer(200, await pages.page(path))
  const file = isPage ? `${path === '/' ? 'index' : path.slice(1)}.md` : path.slice(1)
  const content = await pages.file(file)
  if (content !== null) return fileAnswer(file, content)
  return pageAnswer(isPage ? 200 : 404, await pages.page(path))
}

function pageAnswer(status: number, html: string): Answer {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: html }
}

function fileAnswer(path: string, content: Uint8Array | string): Answer {
  const type = contentTypeOf(path)
  const headers = { 'content-type': type, etag: `"${sha256(content)}"` }
  const drawing = type.startsWith('image/svg') ? originHeaders('siteDrawing') : {}
  return { status: 200, headers: { ...headers, ...drawing }, body: content }
}

/** Never for good: the next save may lead elsewhere. */
function moved(location: string): Answer {
  return { status: 307, headers: { location }, body: '' }
}
