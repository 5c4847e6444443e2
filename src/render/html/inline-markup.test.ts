import assert from 'node:assert/strict'
import test from 'node:test'
import { inlineMarkup, plainText, safeHref } from './inline-markup.ts'

test('converts code, bold, emphasis and links to tags', () => {
  assert.equal(
    inlineMarkup('Use `a<b`, **bold**, *soft* and [a link](/x "title").'),
    'Use <code>a&lt;b</code>, <strong>bold</strong>, <em>soft</em> and <a href="/x">a link</a>.',
  )
})

test('asterisks and underscores between words stay text', () => {
  assert.equal(inlineMarkup('SELECT * FROM a * b, snake_case_name'), 'SELECT * FROM a * b, snake_case_name')
})

test('balances allowed tags and drops unknown tags and attributes', () => {
  assert.equal(inlineMarkup('<b>open'), '<b>open</b>')
  assert.equal(inlineMarkup('</b>closed'), 'closed')
  assert.equal(inlineMarkup('<code onclick="x()">y</code><script>z</script>'), '<code>y</code>z')
  assert.equal(inlineMarkup('a < b and c > d'), 'a &lt; b and c &gt; d')
  assert.equal(inlineMarkup('a < b **and** c'), 'a &lt; b <strong>and</strong> c')
})

test('neutralizes script URLs', () => {
  assert.equal(inlineMarkup('[x](javascript:alert(1))').includes('javascript'), false)
  assert.equal(safeHref('java\nscript:alert(1)'), '#')
  assert.equal(safeHref('mailto:a@b.c'), 'mailto:a@b.c')
})

test('renders only the text of links if links are disabled', () => {
  assert.equal(inlineMarkup('[a](/x) b', { links: false }), 'a b')
})

test('plain text contains no markup and no character references', () => {
  assert.equal(plainText('A **bold** &amp; `x<y>` <br/>line'), 'A bold & x<y>  line')
})
