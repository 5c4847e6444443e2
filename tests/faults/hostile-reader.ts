/** Child process that reads the hostile source of each seed it receives, and responds with the CPU time used. */

import { openMemoryTree } from '../../src/base/files/memory-tree.ts'
import {
  compileGlob,
  compilePattern,
  PatternCostError,
  PatternError,
} from '../../src/features/agent/code/line-pattern.ts'
import { readBody } from '../../src/render/child/read-body.ts'
import { takeImports } from '../../src/render/compile/take-imports.ts'
import { attributeValue } from '../../src/render/html/addresses.ts'
import { rewriteCssUrls } from '../../src/render/html/css-urls.ts'
import { renderText } from '../../src/render/html/markup.ts'
import { readSrcset } from '../../src/render/html/srcset.ts'
import { removeScript } from '../../src/render/html/svg-script.ts'
import { createImageSizes } from '../../src/render/remote/image-sizes.ts'
import { loadSite } from '../../src/site/load-site.ts'
import { SiteUnloadableError } from '../../src/site/problems.ts'
import { mixtureOf } from '../kit/hostile-mixture.ts'
import { type HostileSource, hostileSource } from '../kit/hostile-sources.ts'

async function read(source: HostileSource): Promise<void> {
  if (source.kind === 'pattern') readPattern(source.text)
  else if (source.kind === 'html') readPage(source.text)
  else {
    if (source.kind === 'page') takeImports(source.text, () => {})
    await loadSite(openMemoryTree(mixtureOf([source]))).catch((error: unknown) => {
      if (!(error instanceof SiteUnloadableError)) throw error
    })
  }
}

function readPattern(text: string): void {
  for (const compile of [() => compilePattern(text, { ignoreCase: true }), () => compileGlob(text)]) {
    try {
      compile().find('abé /'.repeat(20_000), { left: 100_000_000 })
    } catch (error) {
      if (!(error instanceof PatternError || error instanceof PatternCostError)) throw error
    }
  }
}

function readPage(html: string): void {
  const sizes = createImageSizes()
  const body = readBody('token', { html, headings: [], codes: [], parts: [] }, { codes: [], parts: [] })
  sizes.findSizes(body.images)
  renderText(body.html, (place) => {
    if (place.kind !== 'attributes' && place.kind !== 'picture') return ''
    return String(readSrcset(attributeValue(place.attributes, 'srcset') ?? '').length)
  })
  rewriteCssUrls(html, (url) => url)
  removeScript(html)
}

process.on('message', async (seed: number) => {
  const source = hostileSource(seed)
  const before = process.cpuUsage()
  await read(source)
  const { user, system } = process.cpuUsage(before)
  process.send?.({ kind: source.kind, length: source.text.length, seconds: (user + system) / 1e6 })
})
