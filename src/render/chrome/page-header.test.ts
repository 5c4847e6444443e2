import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryTree } from '../../base/memory-tree.ts'
import { loadSite } from '../../site/load-site.ts'
import type { RenderedBody } from '../page/body.ts'
import { uiText } from '../words/ui-text.ts'
import { pageHeader } from './page-header.ts'
import type { SiteView } from './site-view.ts'

async function titled(source: string, html: string): Promise<{ header: string; body: string }> {
  const site = await loadSite(openMemoryTree({ 'docs.json': '{"name":"Acme"}', 'start.md': source }))
  const page = site.pages.get('/start')
  assert.ok(page)
  const view = {
    site,
    text: (language: string) => uiText(language),
    input: { feeds: new Map() },
  } as unknown as SiteView
  return pageHeader(view, page, { html } as RenderedBody, false)
}

test('the first heading of a page without a title stands where titles stand, with the id that links know', async () => {
  const { header, body } = await titled(
    '# Acme `CLI`\n\nText',
    '<h1 id="acme-cli">Acme <code>CLI</code></h1><p>Text</p>',
  )
  assert.match(header, /<h1 id="page-title"><span id="acme-cli">Acme <code>CLI<\/code>/)
  assert.equal(body, '<p>Text</p>')
})

test('a first heading that says something else than the title is left in the text', async () => {
  const html = '<h1 id="other">Other</h1><p>Text</p>'
  const { header, body } = await titled('---\ntitle: Start\n---\n# Other\n\nText', html)
  assert.match(header, /<h1 id="page-title">Start<\/h1>/)
  assert.equal(body, html)
})

test('a heading with a picture in it is a title too', async () => {
  const { header, body } = await titled(
    '# <img src="/l.png" alt="" /> Acme 🦞\n\nText',
    '<h1 id="acme-🦞"><img src="/l.png" alt=""> Acme 🦞</h1><p>Text</p>',
  )
  assert.match(header, /<h1 id="page-title">.*Acme/)
  assert.equal(body, '<p>Text</p>')
})

test('a long name in a title is divided where its parts meet', async () => {
  const { header } = await titled('---\ntitle: Use createUserAccountTokens & more\n---\nText', '<p>Text</p>')
  assert.match(header, /Use create<wbr>User<wbr>Account<wbr>Tokens &amp; more<\/h1>/)
  const short = await titled('---\ntitle: OpenTelemetry\n---\nText', '<p>Text</p>')
  assert.match(short.header, /">OpenTelemetry<\/h1>/)
})
