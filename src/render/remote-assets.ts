/** What a page would fetch from elsewhere: in a bundle without a network those things stay empty. */
import type { Problem } from '../contract/problem.ts'
import type { SitePage } from '../site/model.ts'
import type { RenderedBody } from './body.ts'
import { editTags } from './html-tags.ts'

const LOADED = new Set(['src', 'srcset', 'poster', 'data-src'])

export function remoteAssets(page: SitePage, body: RenderedBody): Problem[] {
  const urls = new Set<string>()
  const html = body.html + (body.side ?? '')
  editTags(html, {
    attribute: (_tag, name, value) => {
      if (LOADED.has(name)) for (const [url] of value.matchAll(/(?:https?:)?\/\/[^\s,"']+/gi)) urls.add(url)
      return null
    },
  })
  return [...urls].map((url) => ({
    file: page.file ?? page.operation?.spec ?? 'docs.json',
    line: null,
    code: 'asset.remote',
    level: 'warning',
    message: `${url} is on another server, which readers of an air-gapped bundle cannot reach.`,
    remedy: 'Put the file into the docs folder and name it by its path.',
  }))
}
