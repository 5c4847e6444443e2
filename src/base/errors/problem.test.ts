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

test('as many problems as a site has are kept in their order', () => {
  const problems = Array.from({ length: 5000 }, (_, line) =>
    problem({ line, level: line % 3 === 0 ? 'hint' : 'error' }),
  )
  assert.deepEqual(limitProblems(problems), problems)
})

test('of more, errors are kept first, and the last one tells how many are left out', () => {
  const hints = Array.from({ length: 300_000 }, (_, line) => problem({ line, level: 'hint' }))
  const remaining = limitProblems([...hints, problem({ level: 'error', message: 'An error.' })])
  assert.equal(remaining.length, 20_001)
  assert.ok(remaining.some(({ message }) => message === 'An error.'))
  assert.equal(remaining.at(-1)?.message, '280001 more problems with this site are not listed.')
})

test('sentences of a megabyte are shortened, and all of them together are bounded', () => {
  const remaining = limitProblems(
    Array.from({ length: 10_000 }, (_, line) => problem({ line, message: 'x'.repeat(1_000_000) })),
  )
  assert.ok(JSON.stringify(remaining).length < 5_000_000)
  assert.match(remaining.at(-1)?.message ?? '', /more problems/)
})

for (const code of ['image.missing', 'icon.unknown', 'redirect.target_missing'])
  test(`a target that many places miss is one problem with its places: ${code}`, () => {
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
