import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitProblems, mergeProblems, type Problem, toWarnings } from './problem.ts'

function problem(more: Partial<Problem>): Problem {
  return {
    file: 'a.mdx',
    line: 1,
    code: 'x',
    level: 'warning',
    message: 'Wrong.',
    remedy: 'Mend it.',
    ...more,
  }
}

test('keeps 5000 problems in their original order', () => {
  const problems = Array.from({ length: 5000 }, (_, line) =>
    problem({ line, level: line % 3 === 0 ? 'hint' : 'error' }),
  )
  assert.deepEqual(limitProblems(problems), problems)
})

test('past the limit, keeps errors first and reports how many problems are omitted', () => {
  const hints = Array.from({ length: 300_000 }, (_, line) => problem({ line, level: 'hint' }))
  const remaining = limitProblems([...hints, problem({ level: 'error', message: 'An error.' })])
  assert.equal(remaining.length, 20_001)
  assert.ok(remaining.some(({ message }) => message === 'An error.'))
  assert.equal(remaining.at(-1)?.message, '280001 more problems with this site are not listed.')
})

test('shortens messages of a megabyte and bounds their total size', () => {
  const remaining = limitProblems(
    Array.from({ length: 10_000 }, (_, line) => problem({ line, message: 'x'.repeat(1_000_000) })),
  )
  assert.ok(JSON.stringify(remaining).length < 5_000_000)
  assert.match(remaining.at(-1)?.message ?? '', /more problems/)
})

for (const code of ['image.missing', 'icon.unknown', 'redirect.target_missing'])
  test(`merges a target missing in many locations into one problem that lists them: ${code}`, () => {
    const missing = (line: number, message = 'The image "/a.png" does not exist.') =>
      problem({ code, file: `page-${line}.mdx`, line, message })
    const many = Array.from({ length: 631 }, (_, line) => missing(line + 1))
    const few = [
      missing(1, 'The image "/b.png" does not exist.'),
      missing(2, 'The image "/b.png" does not exist.'),
    ]
    const others = [problem({}), problem({}), problem({}), problem({})]
    const gathered = mergeProblems([...many, ...few, ...others])
    assert.deepEqual(gathered.slice(1), [...few, ...others])
    assert.equal(gathered[0]?.file, 'page-1.mdx')
    assert.match(
      gathered[0]?.message ?? '',
      /does not exist\. Also in 630 other locations: page-2\.mdx:2, page-3\.mdx:3, .*page-11\.mdx:11 …$/,
    )
    assert.equal(toWarnings(many).length, 1)
  })
