import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openBodyRenderer } from '../../src/render/bodies/body-renderer.ts'
import type { BodyRequest } from '../../src/render/page/body.ts'
import { requestOf } from '../kit/body-request.ts'
import { type BodyText, bodyText } from '../kit/markup-text.ts'
import { patience } from '../kit/until.ts'

const renderer = openBodyRenderer({ children: 1 })
after(() => renderer[Symbol.asyncDispose]())

async function render(source: string, more: Partial<BodyRequest> = {}): Promise<BodyText> {
  return bodyText((await renderer.render(requestOf(source, more), patience())).body)
}

const codes = (body: BodyText) => body.problems.map(({ code, line }) => `${code}:${line}`)

test('refuses Atomics.wait during a render and leaves components that use WebAssembly to the browser', async () => {
  const body = await render(
    'before\n\n{Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0)}\n\nafter\n',
  )
  assert.match(body.html, /before[\s\S]*after/)
  assert.deepEqual(codes(body), ['mdx.expression:3'])
  assert.match(body.problems[0]?.message ?? '', /Atomics\.wait cannot be called/)
  const left = await render('import { Sum } from "/snippets/sum.jsx"\n\n<Sum />\n', {
    modules: [
      {
        path: 'snippets/sum.jsx',
        source: 'export const Sum = () => <b>{String(new WebAssembly.Memory({ initial: 1 }))}</b>\n',
      },
    ],
  })
  assert.deepEqual(codes(left), ['mdx.browser_only:3'])
})
