import { test } from 'node:test'
import { findLostWords } from '../kit/author-words.ts'

test('every word of a page is in its text, its Markdown and its search record, in any context', async () => {
  await findLostWords({ pages: 150, ending: 'mdx' })
  await findLostWords({ pages: 50, ending: 'md' })
})
