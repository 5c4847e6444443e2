import assert from 'node:assert/strict'
import test from 'node:test'
import { anchorsOf, DOCS, EMPTY, layoutOf, withLinks } from '../../../tests/kit/laid-out.ts'
import { resolveFeatures } from '../../base/api/features.ts'
import { raw } from '../html/template.ts'
import type { RenderedBody } from '../page/body.ts'

test('the version switch keeps the current page or falls back to the first page', async () => {
  const layout = await layoutOf()
  assert.match(layout.page('/v2/intro', EMPTY), /nav-dropdown-item" href="\/v1\/intro"/)
  assert.match(layout.page('/v2/deep', EMPTY), /nav-dropdown-item" href="\/v1\/other"/)
})

test('escapes author text in titles and meta tags', async () => {
  const html = (await layoutOf()).page('/v2/intro', EMPTY)
  assert.ok(html.includes('<title>Intro &quot;quoted&quot; - Acme &lt;Docs&gt;</title>'))
  assert.ok(html.includes('<div class="page-description">With <code>code</code> &amp; more</div>'))
  assert.ok(html.includes('content="With code &amp; more"'))
})

test('drops a first heading that repeats the title and keeps any other', async () => {
  const layout = await layoutOf()
  const opened = (words: string) => {
    const opening = { id: 'x', words, whole: raw(`<h1 id="x">${words}</h1>`), content: raw(words) }
    return layout.page('/v2/deep', { ...EMPTY, opening })
  }
  assert.equal(opened('Deep').match(/<h1/g)?.length, 1)
  assert.equal(opened('Else').match(/<h1/g)?.length, 2)
  assert.ok(opened('Else').includes('<h1 id="x">Else</h1><p>Text</p>'))
})

test('a custom page has header, content and sidebar but no title, contents, pagination or footer', async () => {
  const html = (await layoutOf()).page('/v2/free', { ...EMPTY, toc: [{ level: 2, id: 'a', text: 'A' }] })
  for (const absent of ['id="page-title"', 'id="table-of-contents"', 'id="pagination"', 'id="footer"']) {
    assert.equal(html.includes(absent), false, absent)
  }
  for (const present of ['id="navbar"', 'id="sidebar"', '<p>Text</p>'])
    assert.ok(html.includes(present), present)
})

test('a page outside the navigation still shows the sidebar, without a current entry', async () => {
  const html = (await layoutOf()).page('/loose', EMPTY)
  assert.ok(html.includes('id="sidebar"'))
  assert.equal(html.includes('aria-current="page"'), false)
})

test('writes canonical URLs only if the origin is known', async () => {
  const known = (await layoutOf({ origin: 'https://docs.acme.test' })).page('/v2/deep', EMPTY)
  assert.ok(known.includes('<link rel="canonical" href="https://docs.acme.test/v2/deep">'))
  const unknown = (await layoutOf()).page('/v2/deep', EMPTY)
  assert.equal(unknown.includes('canonical'), false)
  assert.equal(unknown.includes('og:url'), false)
  assert.equal(unknown.includes('noindex'), false)
  assert.match((await layoutOf()).page('/v2/deeper', EMPTY), /name="robots" content="noindex"/)
})

test('the only inline script is the one that runs before the first paint', async () => {
  const html = (await layoutOf()).page('/v2/deep', { ...EMPTY, usesMermaid: true })
  assert.deepEqual(
    [...html.matchAll(/<script[^>]*>[^<]*/g)].map((match) => match[0]),
    ['<script>early()', '<script src="/_octavo/main.js" defer>'],
  )
  assert.equal(/ on[a-z]+="/.test(html), false)
})

test('omits the search button and index if search is disabled', async () => {
  const html = (
    await layoutOf({ features: resolveFeatures('air-gapped'), searchScript: null, searchIndexes: {} })
  ).page('/v2/deep', EMPTY)
  assert.equal(html.includes('search-bar-entry'), false)
  assert.equal(html.includes('octavo-index'), false)
})

test('the right column shows examples instead of the table of contents', async () => {
  const html = (await layoutOf()).page('/v2/deep', {
    ...EMPTY,
    side: raw('<div class="example">curl</div>'),
    toc: [{ level: 2, id: 'a', text: 'A' }],
  })
  assert.match(html, /data-layout="side"/)
  assert.equal(html.includes('id="table-of-contents"'), false)
})

test('sets dir=rtl for a right-to-left language', async () => {
  const docs = {
    ...DOCS,
    navigation: { languages: [{ language: 'ar', groups: [{ group: 'أ', pages: ['v2/intro'] }] }] },
  }
  const html = (await layoutOf({}, docs)).page('/v2/intro', EMPTY)
  assert.match(html, /<html lang="ar" dir="rtl"/)
})

test('renders a complete not-found page and escapes redirect targets', async () => {
  const layout = await layoutOf()
  assert.match(layout.notFound(), /^<!doctype html>[\s\S]*noindex[\s\S]*<\/html>\n$/)
  assert.match(layout.redirect('../x.html?a=1&b="2"'), /url=\.\.\/x\.html\?a=1&amp;b=&quot;2&quot;"/)
  assert.throws(() => layout.page('/nowhere', EMPTY), /no page/)
})

const ALL_WIDGETS = { thumbs: true, code: true, suggestEdit: true, raiseIssue: true }
const GATHERING = {
  widgets: ALL_WIDGETS,
  feedbackScript: '/_octavo/feedback.js',
  platformScript: '/_octavo/platform.js',
  repository: { address: 'https://github.com/acme/site', ref: 'main', docsFolder: 'docs' },
}

test('a page with feedback shows its buttons and links to the source file and a new issue', async () => {
  const html = (await layoutOf({ ...GATHERING, origin: 'https://docs.acme.test' })).page('/v2/intro', EMPTY)
  assert.match(html, /id="feedback-thumbs-up"[^>]*aria-pressed="false"/)
  assert.ok(html.includes('href="https://github.com/acme/site/edit/main/docs/v2/intro.mdx" target="_blank"'))
  assert.ok(html.includes('body=https%3A%2F%2Fdocs.acme.test%2Fv2%2Fintro'))
  assert.ok(html.includes('<script src="/_octavo/feedback.js" defer>'))
  assert.ok(html.includes('<link rel="octavo-platform" href="/_octavo/platform.js">'))
  assert.equal(html.includes('data-keep'), false)
})

test('an air-gapped page marks the feedback toolbar with data-keep for the script', async () => {
  const html = (await layoutOf({ ...GATHERING, deployment: 'air-gapped' })).page('/v2/deep', EMPTY)
  assert.match(html, /class="feedback-toolbar" aria-label="Feedback" data-keep data-code/)
})

test('repository links need no feedback script and a page without a footer has no feedback', async () => {
  const links = {
    ...GATHERING,
    widgets: { ...ALL_WIDGETS, thumbs: false, code: false },
    feedbackScript: null,
  }
  const html = (await layoutOf(links)).page('/v2/deep', EMPTY)
  assert.ok(html.includes('class="feedback-links"'))
  for (const absent of ['feedback-thumbs', 'feedback.js', 'octavo-platform', '&quot;thanks&quot;'])
    assert.equal(html.includes(absent), false, absent)
  const bare = (await layoutOf(GATHERING)).page('/v2/free', EMPTY)
  for (const absent of ['feedback-toolbar', 'feedback.js', 'octavo-platform'])
    assert.equal(bare.includes(absent), false, absent)
})

test('feedback texts are localized and the submitted reason stays English', async () => {
  const docs = {
    ...DOCS,
    navigation: { languages: [{ language: 'de', groups: [{ group: 'Los', pages: ['v2/intro'] }] }] },
  }
  const html = (await layoutOf(GATHERING, docs)).page('/v2/intro', EMPTY)
  assert.ok(html.includes('War diese Seite hilfreich?'))
  assert.ok(html.includes('[&quot;Something is missing&quot;,&quot;Etwas fehlt&quot;]'))
})

test('shows a tab bar only if there is more than one visible tab', async () => {
  const tab = (name: string, pages: string[], more: object = {}) => ({
    tab: name,
    groups: [{ group: name, pages }],
    ...more,
  })
  const docs = (tabs: object[]) => ({ name: 'Acme', navigation: { tabs } })
  const pageOf = async (tabs: object[]) => (await layoutOf({}, docs(tabs))).page('/v2/deep', EMPTY)
  const both = [tab('One', ['v2/deep']), tab('Two', ['v2/deeper'])]
  const shown = await pageOf(both)
  const bar = shown.slice(shown.indexOf('<nav class="nav-tabs"')).split('</nav>')[0] ?? ''
  assert.ok(bar.includes('>One</a>') && bar.includes('>Two</a>'), bar)
  assert.doesNotMatch(await pageOf(both.slice(0, 1)), /nav-tabs/)
  assert.doesNotMatch(
    await pageOf([tab('One', ['v2/deep']), tab('Two', ['v2/deeper'], { hidden: true })]),
    /nav-tabs/,
  )
})

test('the layout omits its own ids that the page body already uses', async () => {
  const footer = { socials: { github: 'https://github.com/acme' } }
  const layout = await layoutOf({}, { ...DOCS, footer })
  const side = raw('<p>curl</p>')
  for (const id of ['pagination', 'footer', 'content-side-layout']) {
    const count = (body: RenderedBody) => layout.page('/v2/deep', body).split(` id="${id}"`).length - 1
    assert.equal(count({ ...EMPTY, side }), 1, id)
    const html = raw(`<h2 id="${id}">It</h2>`)
    assert.equal(count({ ...EMPTY, side, html, anchors: anchorsOf(`a\n${id}\nb`) }), 1, id)
    assert.equal(count({ ...EMPTY, side, anchors: anchorsOf(`a-${id}\n${id}-b`) }), 1, id)
  }
})

test('links in the banner, descriptions and the footer are rewritten for the deployment', async () => {
  const docs = {
    ...DOCS,
    banner: { content: 'Read [this](/v2/deep) & **that**' },
    footer: { links: [{ header: 'More', items: [{ label: 'Root <', href: '/v2/root' }] }] },
    errors: { '404': { description: 'Back to the [start](/v2/intro)' } },
  }
  const layout = await layoutOf({ finish: (markup, depth) => withLinks(markup, depth) }, docs)
  const html = layout.page('/v2/inside', EMPTY)
  assert.ok(html.includes('<div class="banner-text">Read <a href="1:/v2/deep">this</a> &amp; <strong>that'))
  assert.ok(html.includes('<li><a href="1:/v2/root">Root &lt;</a></li>'))
  assert.doesNotMatch(html, /(?:href|src)="\//)
  assert.ok(layout.notFound().includes('Back to the <a href="0:/v2/intro">start</a>'))
})
