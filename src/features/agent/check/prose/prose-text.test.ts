import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineAt, proseBlocks } from './prose-text.ts'

const words = (source: string) =>
  proseBlocks(source).map(({ kind, text }) => `${kind}: ${text.replace(/\s+/g, ' ').trim()}`)

test('excludes code, tags, URLs, expressions and comments from prose, and keeps link and tag text', () => {
  const source = [
    '---',
    'title: "Set up"',
    'icon: hammer',
    'description: How to begin',
    '---',
    "import Part from '/snippets/part.mdx'",
    '',
    '## Run `npm i` *now* ##',
    '',
    'See [the guide](/guides/very-good) at https://example.com/simply or {props.simply}.',
    '<Card title="simply"',
    '  href="/simply">',
    'Text of a card',
    '</Card>',
    '{/* simply a',
    'comment */} after it',
    '```sh',
    'simply --run',
    '```',
    '- One item',
    '- Another',
    '<!-- vale off -->',
    'simply off',
    '<!-- vale on -->',
    'On again.',
  ].join('\n')
  assert.deepEqual(words(source), [
    'heading: Set up',
    'text: How to begin',
    'heading: Run now',
    'text: See the guide at or .',
    'text: Text of a card',
    'text: after it',
    'text: One item',
    'text: Another',
    'text: On again.',
  ])
})

test('a paragraph is one text, and each offset maps to its line', () => {
  const [block] = proseBlocks('One two\nthree four\nfive')
  assert.ok(block !== undefined)
  assert.equal(block.text, 'One two three four five')
  assert.deepEqual(
    ['two', 'three', 'five'].map((word) => lineAt(block, block.text.indexOf(word))),
    [1, 2, 3],
  )
})

test('parses a megabyte of repeated syntax in linear time', () => {
  for (const piece of ['<a ', '`', '{', '](', '```\n', 'word ', '# ', '<!-- ', '- '])
    assert.ok(proseBlocks(piece.repeat(1_000_000 / piece.length)).length <= 20_000, piece)
})
