import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Problem } from '../base/errors/problem.ts'
import { codeQualityReport, githubAnnotations } from './annotations.ts'

const problem: Problem = {
  file: 'guides/a, b: c.mdx',
  line: 7,
  code: 'link.missing',
  level: 'error',
  message: 'The link leads\nnowhere: 100 %.',
  remedy: 'Mend it.',
}

test('escapes names and messages so that a GitHub command stays one line', () => {
  assert.deepEqual(githubAnnotations([problem], 'docs'), [
    '::error file=docs/guides/a%2C b%3A c.mdx,line=7,title=link.missing::The link leads%0Anowhere: 100 %25. Mend it.',
  ])
})

test('a problem of a whole file has no line in its annotation', () => {
  const [command] = githubAnnotations([{ ...problem, file: 'docs.json', line: null, level: 'hint' }], '')
  assert.match(command ?? '', /^::notice file=docs\.json,title=link\.missing::/)
})

test('a fingerprint survives a moved line, and identical problems have distinct fingerprints', () => {
  const issues = codeQualityReport([problem, { ...problem, line: 9 }], 'docs')
  const [moved] = codeQualityReport([{ ...problem, line: 8 }], 'docs')
  assert.equal(issues[0]?.fingerprint, moved?.fingerprint)
  assert.notEqual(issues[0]?.fingerprint, issues[1]?.fingerprint)
  assert.deepEqual(issues[1]?.location, { path: 'docs/guides/a, b: c.mdx', lines: { begin: 9 } })
  assert.equal(issues[0]?.severity, 'critical')
})
