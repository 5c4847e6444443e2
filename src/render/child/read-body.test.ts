import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markupText } from '../../../tests/kit/markup-text.ts'
import { fieldHeader } from '../api/reference-parts.ts'
import { pickApiTexts } from '../words/api-texts.ts'
import { uiText } from '../words/ui-text.ts'
import { readBody } from './read-body.ts'

const FIELD = {
  id: 'size',
  others: ['old'],
  name: 'a < b',
  type: 'string',
  isRequired: false,
  isDeprecated: false,
  before: [],
  pills: [],
  initial: null,
  description: '',
  facts: [],
  blocks: [],
  same: null,
}

const readWith = (
  html: string,
  code: Parameters<typeof readBody>[1]['codes'] = [],
  coloured: Parameters<typeof readBody>[2]['codes'] = [],
) => {
  const body = readBody(
    'token',
    { html, headings: [], codes: code, parts: [] },
    { codes: coloured, parts: [] },
  )
  return { ...body, html: markupText(body.html), side: body.side && markupText(body.side) }
}
const read = (html: string) => readWith(html)

test('extracts the side column, including nested markers', () => {
  const { html, side } = read('a<o-side>b<o-side>c</o-side></o-side>d<o-side>e</o-side>')
  assert.deepEqual({ html, side }, { html: 'ad', side: 'bc\ne' })
})

test('unbalanced side column tags stay in place', () => {
  const { html, side } = read('a</o-side><o-side>b<o-side/>')
  assert.deepEqual({ html, side }, { html: 'a</o-side><o-side>b<o-side>', side: null })
})

const CODE = { code: 'a < b', language: 'text', highlight: [], focus: [], lines: false }
const COLOURED = { html: '<b class="line">a &lt; b</b>', text: 'a < b', classes: ['row'] }

test('inserts code into every output only where the page token matches', () => {
  const mark = (token: string) => `<o-code data-t="${token}" data-i="0"></o-code>`
  const html = `<pre>${mark('token')}</pre><o-side><pre>${mark('token')}</pre></o-side><p>${mark('other')}</p>`
  const body = readWith(html, [CODE], [COLOURED])
  assert.equal(body.html, `<pre>${COLOURED.html}</pre><p>${mark('other')}</p>`)
  assert.equal(body.side, `<pre>${COLOURED.html}</pre>`)
  assert.equal(body.markdown, '```\na < b\n```\n\n```\na < b\n```')
  assert.deepEqual(body.classes, ['row'])
  assert.equal(body.sections[0]?.text, 'a < b a < b')
})

test('inserts a reference part once, with its assigned ids, only where the page token matches', () => {
  const part = () => {
    const place = fieldHeader(FIELD, pickApiTexts(uiText('en')))
    return { nodes: [place.field], positions: [place], inner: place.field }
  }
  const mark = (token: string) => `<o-part data-t="${token}" data-i="0"><p>in it</p></o-part>`
  const parts = [[{ id: 'size-2', others: ['old'] }]]
  const html = `${mark('token')}${mark('token')}${mark('other')}`
  const body = readBody('token', { html, headings: [], codes: [], parts }, { codes: [], parts: [part()] })
  const [own = '', ...rest] = markupText(body.html).split('<o-part')
  assert.match(own, /^<div class="field api-field" id="size-2"><span class="other-anchor" id="old"><\/span>/)
  assert.match(own, /<a class="field-name" href="#size-2"[^>]*>a &lt; b<\/a>.*<p>in it<\/p><\/div>$/)
  assert.deepEqual(
    rest.map((text) => text.replace(/.*?>/, '')),
    ['<p>in it</p></o-part>', '<p>in it</p></o-part>'],
  )
  assert.equal(body.anchors.ids, 'size-2\nold')
})

test('content for agents appears only in Markdown and content for humans only on the page', () => {
  const body = read(
    '<p>all</p><o-agents><p>agents <o-agents>deep</o-agents></p></o-agents><o-humans><p>people</p></o-humans>',
  )
  assert.equal(body.html, '<p>all</p><p>people</p>')
  assert.equal(body.markdown, 'all\n\nagents deep')
  assert.equal(body.sections[0]?.text, 'all people')
})

test('content of an unclosed agents element stays on the page', () => {
  assert.equal(read('<p>a</p><o-agents>never ends').html, '<p>a</p><o-agents>never ends')
})

test('separates a leading heading from the body and returns its text', () => {
  const heading = '<h1 id="a">A <code>b</code></h1>'
  const { opening, html, anchors } = read(`\n${heading}<p>c</p>`)
  assert.deepEqual([opening?.id, opening?.words, html], ['a', 'A b', '<p>c</p>'])
  assert.equal(markupText(opening?.whole ?? []), heading)
  assert.equal(markupText(opening?.content ?? []), 'A <code>b</code>')
  assert.equal(anchors.ids, 'a')
  assert.equal(read('<p>c</p><h1>A</h1>').opening, null)
})

test('the side column drops ids of the page frame that the body already uses', () => {
  const { side } = read(
    '<o-side><div id="panel" class="x"></div><div id="b"></div></o-side><h2 id="panel"></h2>',
  )
  assert.equal(side, '<div class="x"></div><div id="b"></div>')
  assert.equal(
    read('<o-side><div class="x" id="panel"></div></o-side>').side,
    '<div id="panel" class="x"></div>',
  )
})

test('lists a same-page link only if its target does not exist', () => {
  const html =
    '<h2 id="a"><a href="#a">A</a></h2><h2 id="übersicht"><a href="#%C3%BCbersicht">Ü</a></h2><a href="#gone">x</a><a href="/other#a">y</a><a href="#">z</a>'
  const { anchors } = read(`${html}<o-side><p id="b"></p><a href="#b">b</a></o-side>`)
  assert.deepEqual(anchors, { ids: 'a\nübersicht\nb', links: ['#gone', '/other#a', '#'] })
})

test('lists images without a size and remote files that can be copied', () => {
  const { images, pictures, remote } = read(
    '<img src="/a%20b.png"><img width="5" src="/b.png"><img width="5" height="5" src="/c.png"><img class="aspect-video" src="/d.png">' +
      '<img src="//x.dev/e.png"><img src="data:image/png;base64,AAAA"><imgx src="/f.png"></imgx>' +
      '<video poster="https://x.dev/g.jpg"></video><iframe src="https://x.dev/h"></iframe><a href="https://x.dev/i">i</a>' +
      '<link rel="stylesheet" href="https://x.dev/j.css"><link rel="canonical" href="https://x.dev/k">' +
      '<p style="background:url(https://x.dev/l.png)"></p><style>@import "https://x.dev/m.css"</style>',
  )
  assert.deepEqual(images, ['a b.png', 'b.png'])
  assert.deepEqual(pictures, ['https://x.dev/e.png'])
  const asked = [
    '//x.dev/e.png',
    'https://x.dev/g.jpg',
    'https://x.dev/j.css',
    'https://x.dev/l.png',
    'https://x.dev/m.css',
  ]
  assert.deepEqual(remote, asked)
})

test('images at the top of a page load eagerly, later and single-mode images load lazily', () => {
  const picture = '<img loading="lazy" decoding="async" src="/a.svg" alt="">'
  const { html } = read(`<p>${picture}</p><p>${'word '.repeat(500)}</p>${picture}`)
  assert.equal(html.match(/loading="lazy"/g)?.length, 1)
  assert.ok(html.startsWith('<p><img decoding="async"'))
  assert.match(read('<img class="hidden dark:block" loading="lazy" src="/a.svg">').html, /loading="lazy"/)
})
