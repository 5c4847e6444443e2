/** Markdown constructs as rendered by a render child. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openBodyRenderer } from '../../src/render/bodies/body-renderer.ts'
import { requestOf } from '../kit/body-request.ts'
import { bodyText } from '../kit/markup-text.ts'
import { patience } from '../kit/until.ts'

const renderer = openBodyRenderer({ children: 1 })
after(() => renderer[Symbol.asyncDispose]())

const render = async (source: string) => bodyText((await renderer.render(requestOf(source), patience())).body)

test('heading ids may contain spaces, and footnotes and table alignment are rendered', async () => {
  const body = await render('## T {#my long-id}\n\nx[^1]\n\n[^1]: note\n\n| a |\n|--:|\n| <b>c</b> |\n')
  assert.deepEqual(body.toc, [{ level: 2, id: 'my-long-id', text: 'T' }])
  assert.match(body.html, /text-align: ?right/)
  assert.match(body.html, /note/)
})

test('an empty corner cell of a table is not a column header', async () => {
  const body = await render('|  | Free |\n|---|---|\n| Pages | 10 |\n')
  assert.match(body.html, /<td><\/td>\s*<th scope="col">Free<\/th>/)
  const plain = await render('| Plan | Free |\n|---|---|\n| Pages | 10 |\n')
  assert.match(plain.html, /<th>Plan<\/th>\s*<th>Free<\/th>/)
})
