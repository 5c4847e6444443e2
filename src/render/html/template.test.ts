import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markupText } from '../../../tests/kit/markup-text.ts'
import type { Markup } from './markup.ts'
import { attributes, html, raw } from './template.ts'

test('escapes text, inserts markup unchanged and omits null, undefined and false', () => {
  const name = '<b>"&'
  const written = html`<p title="${name}">${name}${raw('<i>')}${html`<s>${1}</s>`}${null}${undefined}${false}</p>`
  assert.equal(markupText(written), '<p title="&lt;b&gt;&quot;&amp;">&lt;b&gt;&quot;&amp;<i><s>1</s></p>')
  // @ts-expect-error A list of texts is no markup: it would not be escaped.
  const list: Markup = [name]
  assert.equal(list.length, 1)
})

test('keeps attributes with rewritable URLs as placeholders and writes all others as text', () => {
  assert.deepEqual(html`<a${attributes({ class: 'x', href: 'https://x.dev', hidden: true, id: null })}>`, [
    '<a class="x" href="https://x.dev" hidden>',
  ])
  assert.deepEqual(html`<a${attributes({ href: '/x' })}>`, [
    '<a',
    { kind: 'attributes', tag: '', attributes: ['href', '/x'] },
    '>',
  ])
  const fetched = attributes({ rel: 'stylesheet', href: 'https://x.dev/a.css' }, 'link')
  assert.equal(typeof fetched[0], 'object')
  assert.equal(markupText(attributes({ href: 'java\nscript:x()' })), ' href="#"')
})
