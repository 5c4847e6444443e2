import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Problem } from '../../../base/errors/problem.ts'
import type { FileChange } from '../publish/workspace.ts'
import { findAddedProblems } from './compare-problems.ts'

const problem = (
  file: string,
  line: number,
  message: string,
  level: Problem['level'] = 'warning',
): Problem => ({
  file,
  line,
  code: 'link.missing',
  level,
  message,
  remedy: '',
})
const modified = (path: string): FileChange => ({ path, change: 'modified' })
const lines = (problems: Problem[]) => problems.map(({ file, line, message }) => `${file}:${line} ${message}`)

test('compares problems by file, code and message, and counts duplicates', () => {
  const before = [problem('a.mdx', 1, 'x'), problem('a.mdx', 2, 'x'), problem('b.mdx', 1, 'x')]
  const after = [
    problem('a.mdx', 11, 'x'),
    problem('a.mdx', 12, 'x'),
    problem('a.mdx', 13, 'x'),
    problem('a.mdx', 14, 'y'),
    problem('c.mdx', 1, 'x'),
    problem('c.mdx', 2, 'z', 'hint'),
  ]
  const found = findAddedProblems({ before, after }, { changes: [modified('a.mdx')], hadSite: true })
  assert.deepEqual(lines(found), ['a.mdx:13 x', 'a.mdx:14 y', 'c.mdx:1 x'])
})

test('a problem of a deleted file may reappear in an added file, once', () => {
  const changes: FileChange[] = [
    { path: 'old.mdx', change: 'deleted' },
    { path: 'new.mdx', change: 'added' },
    { path: 'more.mdx', change: 'added' },
  ]
  const before = [problem('old.mdx', 3, 'x')]
  const after = [problem('new.mdx', 3, 'x'), problem('more.mdx', 3, 'x')]
  const found = findAddedProblems({ before, after }, { changes, hadSite: true })
  assert.deepEqual(lines(found), ['new.mdx:3 x'])
  const remaining = { before: [problem('remaining.mdx', 1, 'x')], after: [problem('new.mdx', 1, 'x')] }
  assert.equal(findAddedProblems(remaining, { changes, hadSite: true }).length, 1)
})

test('without an earlier site to compare with, only problems in changed files count', () => {
  const after = [problem('a.mdx', 1, 'x'), problem('b.mdx', 1, 'x')]
  const found = findAddedProblems({ before: [], after }, { changes: [modified('b.mdx')], hadSite: false })
  assert.deepEqual(lines(found), ['b.mdx:1 x'])
})
