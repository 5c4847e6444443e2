import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation } from '../base/api/operation.ts'
import { AUDIT_ACTIONS } from './audit-actions.ts'
import { DASHBOARD_OPERATIONS } from './dashboard-operations.ts'
import { OPERATIONS } from './operations.ts'
import { READER_OPERATIONS } from './reader/operations/reader.ts'

const rows = Object.entries<Operation>({ ...OPERATIONS, ...DASHBOARD_OPERATIONS })

test('every operation that changes something leaves a row in the audit log, or says why not', () => {
  for (const [id, { method, audit, isQuery }] of rows) {
    if (method === 'GET' || isQuery) assert.equal(audit, undefined, id)
    else if (typeof audit === 'string') assert.ok(Object.hasOwn(AUDIT_ACTIONS, audit), id)
    else assert.ok((audit?.none ?? '').length > 20, `${id}: a reason, in words`)
  }
})

test('no two operations of the two tables have one name', () => {
  assert.equal(rows.length, Object.keys(OPERATIONS).length + Object.keys(DASHBOARD_OPERATIONS).length)
})

test('what readers say is no matter of the audit log', () => {
  for (const operation of Object.values(READER_OPERATIONS)) assert.ok(!('audit' in operation))
})

test('an action is named as filters take it, and has words that follow a name', () => {
  for (const [action, words] of Object.entries(AUDIT_ACTIONS)) {
    assert.match(action, /^[a-z_]+\.[a-z_]+$/)
    assert.match(words, /^[a-z].*[a-z}]$/)
    assert.ok(words.split('{}').length <= 2, words)
  }
})
