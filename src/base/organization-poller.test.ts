import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOrganizationPoller } from './organization-poller.ts'

test('a waiting organization does not block others, and its rows are processed one at a time', async () => {
  const due = ['a1', 'a2', 'a3', 'b1', 'b2']
  const looked: string[] = []
  const waiting = Promise.withResolvers<void>()
  const turns = createOrganizationPoller<{ id: string; organization_id: string }>({
    async leaseNext(atWork) {
      const id = due.find((id) => !atWork.includes(id.charAt(0)))
      if (id === undefined) return null
      due.splice(due.indexOf(id), 1)
      return { id, organization_id: id.charAt(0) }
    },
    async processRow({ id }) {
      looked.push(id)
      if (id === 'a1') await waiting.promise
    },
  })
  const { signal } = new AbortController()
  const rounds = [turns(signal), turns(signal)]
  await rounds[1]
  assert.deepEqual(looked, ['a1', 'b1', 'b2'])
  waiting.resolve()
  await rounds[0]
  assert.deepEqual(looked.slice(3), ['a2', 'a3'])
})
