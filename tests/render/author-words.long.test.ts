import { test } from 'node:test'
import { findLostWords, findLostWordsOf } from '../kit/author-words.ts'
import { IS_WHOLE } from '../kit/whole-run.ts'

const PAGES = IS_WHOLE ? 20_000 : 2000

for (const ending of ['mdx', 'md'] as const)
  test(`no word is lost in many generated .${ending} pages`, async () => {
    await findLostWords({ pages: PAGES, ending })
  })

test('no word is lost in the sites that OCTAVO_WORD_CORPORA names', async (context) => {
  const folders = (process.env.OCTAVO_WORD_CORPORA ?? '').split(':').filter(Boolean)
  if (folders.length === 0) return context.skip('OCTAVO_WORD_CORPORA names folders, with : between')
  for (const folder of folders) await context.test(folder, () => findLostWordsOf(folder))
})
