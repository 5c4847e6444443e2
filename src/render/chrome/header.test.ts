import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markupText } from '../../../tests/kit/markup-text.ts'
import { openMemoryTree } from '../../base/files/memory-tree.ts'
import { loadSite } from '../../site/load-site.ts'
import { logo } from './header.ts'
import type { SiteView } from './site-view.ts'

async function logoOf(setting: unknown): Promise<string> {
  const settings = { name: 'Acme', logo: setting }
  const files = { 'docs.json': JSON.stringify(settings), 'index.mdx': 'x', 'l.svg': '<svg/>' }
  return markupText(logo({ site: await loadSite(openMemoryTree(files)) } as SiteView, 'en'))
}

test('shows local and remote logos and falls back to the site name if a file is missing', async () => {
  assert.match(await logoOf('/l.svg'), /<img class="nav-logo-image" src="\/l\.svg"/)
  assert.match(await logoOf('https://x.example/l.svg'), /<img /)
  const lost = await logoOf({ light: '/l.svg', dark: '/d.svg' })
  assert.match(lost, /<span class="nav-logo-text">Acme<\/span>/)
  assert.doesNotMatch(lost, /<img/)
})
