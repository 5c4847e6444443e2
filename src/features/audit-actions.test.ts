import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation } from '../base/api/operation.ts'
import { AUDIT_ACTIONS } from './audit-actions.ts'
import { DASHBOARD_OPERATIONS } from './dashboard-operations.ts'
import { OPERATIONS } from './operations.ts'
import { READER_OPERATIONS } from './reader/operations/reader.ts'

const rows = Object.entries<Operation>({ ...OPERATIONS, ...DASHBOARD_OPERATIONS })

test('every mutating operation has an audit action or a reason for having none', () => {
  for (const [id, { method, audit, isQuery }] of rows) {
    if (method === 'GET' || isQuery) assert.equal(audit, undefined, id)
    else if (typeof audit === 'string') assert.ok(Object.hasOwn(AUDIT_ACTIONS, audit), id)
    else assert.ok((audit?.none ?? '').length > 20, `${id}: a reason, in words`)
  }
})

test('operation names are unique across both tables', () => {
  assert.equal(rows.length, Object.keys(OPERATIONS).length + Object.keys(DASHBOARD_OPERATIONS).length)
})

test('reader operations have no audit action', () => {
  for (const operation of Object.values(READER_OPERATIONS)) assert.ok(!('audit' in operation))
})

test('an audit action has a dotted name and a description that follows the name of its actor', () => {
  for (const [action, words] of Object.entries(AUDIT_ACTIONS)) {
    assert.match(action, /^[a-z_]+\.[a-z_]+$/)
    assert.match(words, /^[a-z].*[a-z}]$/)
    assert.ok(words.split('{}').length <= 2, words)
  }
})
