import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openBodyRenderer } from '../../src/render/bodies/body-renderer.ts'
import { requestOf } from '../kit/body-request.ts'
import { patience } from '../kit/until.ts'

const renderer = openBodyRenderer({ children: 1 })
after(() => renderer[Symbol.asyncDispose]())

for (const [what, written, shown] of [
  [
    'its comments',
    '// @errors: 2322\n// @strict: false\n// @ts-expect-error kept\nconst a = 1\n//    ^?\na.to\n//  ^|\nb // ^?\n// @filename: c.ts\n// @log: Mind this',
    '// @ts-expect-error kept\nconst a = 1\na.to\nb // ^?\n// @filename: c.ts\n// @log: Mind this',
  ],
  [
    'lines that cuts hide',
    'hidden\n// ---cut---\na\n// ---cut-start---\nhidden\n// ---cut-end---\nb\n// ---cut-after---\nhidden',
    'a\nb',
  ],
  ['nothing of a cut without an end', 'a\n// ---cut-start---\nb', 'a\n// ---cut-start---\nb'],
  ['nothing when nothing would be left', '// @noErrors', '// @noErrors'],
] as const) {
  test(`twoslash code loses ${what}, and the page reports it once`, async () => {
    const { body } = await renderer.render(
      requestOf(
        `\`\`\`ts twoslash\n${written}\n\`\`\`\n\n\`\`\`py twoslash\n# ^?\n\`\`\`\n\n\`\`\`tsx twoslash\nlast\n\`\`\`\n`,
      ),
      patience(),
    )
    assert.equal(body.markdown.split('\n```')[0]?.split('\n').slice(1).join('\n'), shown)
    assert.match(body.markdown, /# \^\?/)
    assert.deepEqual(
      body.problems.map(({ code, line }) => `${code}:${line}`),
      ['code.twoslash:1'],
    )
    assert.equal(body.problems[0]?.level, 'hint')
  })
}
