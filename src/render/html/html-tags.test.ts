import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeEntities, editTags, escapeAttribute } from './html-tags.ts'

test('text that nobody edits comes back as it is', () => {
  const part = fc.constantFrom(
    '<a href="x">',
    '</a>',
    '<',
    '>',
    '"',
    "'",
    '<!--',
    '-->',
    '<script>',
    '</script>',
    ' b=c',
    '/',
    'é',
    '\n',
  )
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const html = parts.join('')
      assert.equal(editTags(html, { attribute: () => null }), html)
    }),
  )
})

test('attributes are read decoded and written encoded, in every way of quoting', () => {
  const seen: string[] = []
  const html = `<A Href=x><b c='"&amp;<'d="&#x41;&#66;&quot;"e = f g>`
  const out = editTags(html, {
    attribute: (tag, name, value) => {
      seen.push(`${tag} ${name} ${value}`)
      return `${value}!`
    },
  })
  assert.deepEqual(seen, ['a href x', 'b c "&<', 'b d AB"', 'b e f', 'b g '])
  assert.equal(out, `<A Href="x!"><b c="&quot;&amp;&lt;!"d="AB&quot;!"e="f!" g="!">`)
  assert.equal(decodeEntities(escapeAttribute(`a&b"c<d>'`)), `a&b"c<d>'`)
})

test('dropped elements take their content with them, dropped attributes only themselves', () => {
  const out = editTags('a<x>b<y>c</x>d<x/>e<p on="1" id="2">', {
    isDropped: (tag) => tag === 'x',
    attribute: (_tag, name) => (name === 'on' ? false : null),
  })
  assert.equal(out, 'ade<p  id="2">')
})
