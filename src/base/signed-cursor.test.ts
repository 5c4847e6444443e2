import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCursorCodec } from './signed-cursor.ts'

const codec = createCursorCodec('a secret of the operator that is long')

test('a cursor decodes to its values, also after a restart with the same secret', () => {
  const cursor = codec.encode('exports:org_1', ['2026-01-01T00:00:00.000Z', 'se_1'])
  const later = createCursorCodec('a secret of the operator that is long')
  assert.deepEqual(later.decode('exports:org_1', cursor), ['2026-01-01T00:00:00.000Z', 'se_1'])
})

test('rejects a cursor of another list or secret, or with any character changed', () => {
  const cursor = codec.encode('exports:org_1', ['x', 1])
  assert.equal(codec.decode('exports:org_2', cursor), null)
  assert.equal(createCursorCodec('another secret').decode('exports:org_1', cursor), null)
  for (let i = 0; i < cursor.length; i++) {
    const changed = cursor.slice(0, i) + (cursor[i] === 'A' ? 'B' : 'A') + cursor.slice(i + 1)
    assert.equal(codec.decode('exports:org_1', changed), null, `character ${i}`)
  }
  for (const text of ['', '!', 'AAAA', `${cursor}=`, `${cursor}A`])
    assert.equal(codec.decode('exports:org_1', text), null)
})
