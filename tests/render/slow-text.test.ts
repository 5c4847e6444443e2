import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '../../src/base/log.ts'
import { openBodyRenderer } from '../../src/render/body-renderer.ts'
import { requestOf } from '../kit/body-request.ts'

test('a text that the parsers do not come to an end with is shown as it was written, wherever it stands', async () => {
  let deaths = 0
  const log = {
    ...silentLog,
    warn: (_: object, event: string) => {
      if (event === 'render.child_lost') deaths += 1
    },
  }
  const own = openBodyRenderer({ children: 1, log })
  const endless = `First words.\n\n${'{1} '.repeat(60_000)}\n\nLast words.\n`
  const signal = AbortSignal.timeout(120_000)
  try {
    const alone = await own.render(requestOf(endless), signal)
    assert.match(
      alone.html.replace(/<[^>]*>|\s+/g, ' ').trim(),
      /^First words\. +\{1\} .* \{1\} +Last words\.$/,
    )
    assert.deepEqual(
      alone.problems.map(({ code }) => code),
      ['mdx.syntax'],
    )
    assert.match(alone.problems[0]?.message ?? '', /takes too long.*as it was written/)
    const including = await own.render(
      requestOf('import Part from "/snippets/part.mdx"\n\n## Before\n\n<Part />\n\n**After**\n', {
        modules: [{ path: 'snippets/part.mdx', source: endless }],
      }),
      signal,
    )
    assert.match(including.html, /<h2 id="before"[\s\S]*First words\.[\s\S]*Last words\.[\s\S]*<strong>After/)
    assert.equal(including.problems[0]?.file, 'snippets/part.mdx')
    assert.equal(deaths, 1, 'the second page knows what the first has shown')
  } finally {
    await own[Symbol.asyncDispose]()
  }
})
