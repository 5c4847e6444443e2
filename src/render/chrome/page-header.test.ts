import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markupText } from '../../../tests/kit/markup-text.ts'
import { openMemoryTree } from '../../base/files/memory-tree.ts'
import { loadSite } from '../../site/load-site.ts'
import type { Site } from '../../site/model.ts'
import { raw } from '../html/template.ts'
import type { RenderedBody } from '../page/body.ts'
import { uiText } from '../words/ui-text.ts'
import { pageHeader } from './page-header.ts'
import type { SiteView } from './site-view.ts'

const TEXT = raw('<p>Text</p>')

function opened(id: string, content: string, words: string): RenderedBody['opening'] {
  return { id, words, whole: raw(`<h1 id="${id}">${content}</h1>`), content: raw(content) }
}

function viewOf(site: Site): SiteView {
  return { site, text: uiText, input: { feeds: new Map() } } as unknown as SiteView
}

async function titled(source: string, opening: RenderedBody['opening'] = null) {
  const site = await loadSite(openMemoryTree({ 'docs.json': '{"name":"Acme"}', 'start.md': source }))
  const page = site.pages.get('/start')
  assert.ok(page)
  const { header, body } = pageHeader(viewOf(site), page, { html: TEXT, opening } as RenderedBody, false)
  return { header: markupText(header), body: markupText(body) }
}

test('uses the first heading as title of a page without one and keeps its id', async () => {
  const { header, body } = await titled(
    '# Acme `CLI`\n\nText',
    opened('acme-cli', 'Acme <code>CLI</code>', 'Acme CLI'),
  )
  assert.match(header, /<h1 id="page-title"><span id="acme-cli">Acme <code>CLI<\/code>/)
  assert.equal(body, '<p>Text</p>')
})

test('a first heading that differs from the title stays in the body', async () => {
  const opening = opened('other', 'Other', 'Other')
  const { header, body } = await titled('---\ntitle: Start\n---\n# Other\n\nText', opening)
  assert.match(header, /<h1 id="page-title">Start<\/h1>/)
  assert.equal(body, '<h1 id="other">Other</h1><p>Text</p>')
})

test('uses a heading with an image as page title', async () => {
  const { header, body } = await titled(
    '# <img src="/l.png" alt="" /> Acme 🦞\n\nText',
    opened('acme-🦞', '<img src="/l.png" alt=""> Acme 🦞', ' Acme 🦞'),
  )
  assert.match(header, /<h1 id="page-title">.*Acme/)
  assert.equal(body, '<p>Text</p>')
})

test('inserts wbr elements between the parts of a long name in a title', async () => {
  const { header } = await titled('---\ntitle: Use createUserAccountTokens & more\n---\nText')
  assert.match(header, /Use create<wbr>User<wbr>Account<wbr>Tokens &amp; more<\/h1>/)
  const short = await titled('---\ntitle: OpenTelemetry\n---\nText')
  assert.match(short.header, /">OpenTelemetry<\/h1>/)
})

test('drops a heading that repeats the title apart from case and markup', async () => {
  const { header, body } = await titled(
    '---\ntitle: Start `x`\n---\n# start x\n\nText',
    opened('start-x', 'start x', 'start x '),
  )
  assert.match(header, /<h1 id="page-title">Start <code>x<\/code><\/h1>/)
  assert.equal(body, '<p>Text</p>')
})

test('keeps description links as placeholders and escapes text that is not markup', async () => {
  const site = await loadSite(
    openMemoryTree({
      'docs.json': '{"name":"Acme"}',
      'start.md': '---\ntitle: Start\ntag: "<new>"\ndescription: Read [more](/more) & <b>on</b>\n---\nText',
    }),
  )
  const page = site.pages.get('/start')
  assert.ok(page)
  const { header } = pageHeader(
    viewOf(site),
    page,
    { html: TEXT, opening: null } as unknown as RenderedBody,
    false,
  )
  assert.deepEqual(
    header.filter((piece) => typeof piece !== 'string'),
    [{ kind: 'attributes', tag: 'a', attributes: ['href', '/more'] }],
  )
  const text = markupText(header)
  assert.ok(
    text.includes('<div class="page-description">Read <a href="/more">more</a> &amp; <b>on</b></div>'),
  )
  assert.ok(text.includes('<span class="title-pill">&lt;new&gt;</span>'))
})
