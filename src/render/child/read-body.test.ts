import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBody } from './read-body.ts'

const read = (html: string) => readBody('token', { html, headings: [], codes: [] }, [])

test('the side column is cut out, also when marks are nested', () => {
  const { html, side } = read('a<o-side>b<o-side>c</o-side></o-side>d<o-side>e</o-side>')
  assert.deepEqual({ html, side }, { html: 'ad', side: 'bc\ne' })
})

test('a side column without an end, and an end without a beginning, stay where they are', () => {
  const { html, side } = read('a</o-side><o-side>b<o-side/>')
  assert.deepEqual({ html, side }, { html: 'a</o-side><o-side>b<o-side/>', side: null })
})

const CODE = { code: 'a < b', language: 'text', highlight: [], focus: [], lines: false }
const COLOURED = { html: '<b class="line">a &lt; b</b>', plain: '<i class="row">a &lt; b</i>' }

test('code is put into its place in all that is read, by the token of the page alone', () => {
  const mark = (token: string) => `<o-code data-t="${token}" data-i="0"></o-code>`
  const html = `<pre>${mark('token')}</pre><o-side><pre>${mark('token')}</pre></o-side><p>${mark('other')}</p>`
  const body = readBody('token', { html, headings: [], codes: [CODE] }, [COLOURED])
  assert.equal(body.html, `<pre>${COLOURED.html}</pre><p>${mark('other')}</p>`)
  assert.equal(body.side, `<pre>${COLOURED.html}</pre>`)
  assert.equal(body.markdown, '```\na < b\n```\n\n```\na < b\n```')
  assert.deepEqual(body.classes, ['row'])
  assert.equal(body.sections[0]?.text, 'a < b a < b')
})

test('what is for agents is in the Markdown alone, what is for people on the page alone', () => {
  const body = read('<p>all</p><o-agents><p>agents</p></o-agents><o-humans><p>people</p></o-humans>')
  assert.equal(body.html, '<p>all</p><p>people</p>')
  assert.equal(body.markdown, 'all\n\nagents')
  assert.equal(body.sections[0]?.text, 'all people')
})
