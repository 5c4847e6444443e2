import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html, type Markup, toText, visibleText } from './markup.ts'

test('every value is escaped, in text and in attributes, and markup is not', () => {
  const hostile = `"'><script>&amp;`
  assert.equal(
    toText(html`<p title="${hostile}">${hostile}${html`<b>${1}</b>`}${[html`<i></i>`]}${null}</p>`),
    '<p title="&quot;&#39;&gt;&lt;script&gt;&amp;amp;">&quot;&#39;&gt;&lt;script&gt;&amp;amp;<b>1</b><i></i></p>',
  )
})

test('what was parsed cannot pass for markup', () => {
  const parsed = JSON.parse('{"text":"<b>","markup":"<b>"}') as Markup
  assert.equal(toText(html`${parsed}`), 'undefined')
})

test('unseen characters are shown by their numbers, and joiners of scripts and emoji are not', () => {
  const shown = (text: string) => visibleText(text).map(toText).join('')
  assert.equal(
    shown('a\u202Eb\u0000\tc'),
    'a<span class="unseen">U+202E</span>b<span class="unseen">U+0000</span>\tc',
  )
  assert.equal(shown('👩\u200D💻 می\u200Cخواهم'), '👩\u200D💻 می\u200Cخواهم')
})
