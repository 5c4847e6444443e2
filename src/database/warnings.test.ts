import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failedColumns, queuedColumns, warningColumns } from './warnings.ts'

test('replaces characters that PostgreSQL rejects, also where text is truncated', () => {
  const message = `a\0b${'x'.repeat(3996)}😀`
  const { warnings, warning_count } = warningColumns([{ path: 'a\0.mdx', line: 1, message }])
  assert.deepEqual(JSON.parse(warnings), [
    { path: 'a\uFFFD.mdx', line: 1, message: `a\uFFFDb${'x'.repeat(3996)}\uFFFD` },
  ])
  assert.equal(warning_count, 1)
  const [kept] = JSON.parse(
    warningColumns([
      { path: 'a.mdx', line: 1, message: 'Gone. Mend it.', code: 'link.missing', remedy: 'Mend it.' },
    ]).warnings,
  )
  assert.deepEqual([kept.code, kept.remedy], ['link.missing', 'Mend it.'])
  assert.equal(failedColumns({ error: 'a\0', code: 'internal' }).error, 'a\uFFFD')
  assert.equal(queuedColumns({ error: '\ud800', code: 'bound_passed' }).error, '\uFFFD')
})
