import assert from 'node:assert/strict'
import { test } from 'node:test'
import { descriptionMarkdown } from '../../openapi/description.ts'
import type { TreeNode } from '../tree/program.ts'
import { plainParagraph } from './compile-reference.ts'
import { parseBody } from './compile-repair.ts'
import { compileTree } from './compile-tree.ts'

function parsed(text: string): TreeNode[] {
  const nothing = () => undefined
  const { root } = parseBody(descriptionMarkdown(text), { isMarkdownFile: true, hasMath: true })
  return compileTree(
    {
      file: '',
      isSnippet: false,
      restore: (one) => one,
      addCode: () => -1,
      mark: () => 0,
      noteTwoslash: nothing,
      sample: nothing,
      problem: nothing,
      math: () => assert.fail('no formula'),
    },
    root,
  )
}

/** Omits how a node was made, which is not part of its output. */
function shown(node: TreeNode): unknown {
  if (typeof node === 'string' || !('tag' in node)) return node
  return [node.tag, node.props ?? {}, (node.children ?? []).map(shown)]
}

const PLAIN = [
  'A page of results',
  'See `limit` and `next-page_token`.',
  '`a` b',
  'a `b{c}<d>&e` f `\\x` `"q" \'r\'` `$ref` `a  b` `<!-- x -->`',
  'one `|` two',
]
/** Texts with Markdown syntax, or with code in other notations. */
const OTHERS = [
  'a ``b`` c',
  'a ` b ` c',
  'a `b` **c**',
  '- `a`',
  '1. `a`',
  ' `a`',
  'a `b',
  'a \\`b`',
  'a `b`: "c"',
]

test('a plain line with code spans gives the same result with and without the parser', () => {
  for (const text of PLAIN) {
    const plain = plainParagraph(text)
    assert.ok(plain, text)
    assert.deepEqual([shown(plain)], parsed(text).map(shown), text)
  }
  for (const text of OTHERS) assert.equal(plainParagraph(text), null, text)
})
