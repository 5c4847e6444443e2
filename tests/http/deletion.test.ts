import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addFeedback } from './agent-jobs.ts'
import { type ApiUnderTest, jsonRequest, messagesOf, startApi, withKey } from './api-under-test.ts'

let api: ApiUnderTest
before(async () => {
  api = await startApi()
})
after(() => api[Symbol.asyncDispose]())

const project = () => `/v1/projects/${api.acme.projectId}`

test('deletes feedback by id and rejects a request without a selection', async () => {
  const [first, second] = await addFeedback(api, api.acme, ['one', 'two'])
  const remove = (body: object, key = api.acme.key) =>
    api.fetch(`${project()}/feedback/delete`, jsonRequest('POST', key, body))
  const nothing = await remove({})
  assert.equal(nothing.status, 400)
  assert.match((await messagesOf(nothing)).join(), /`\/ids`, `\/contact`, `\/before`/)
  assert.equal((await remove({ ids: [] })).status, 400)
  assert.equal((await remove({ ids: [first] }, api.other.key)).status, 404)
  const answer = await remove({ ids: [first, 'fb_nobody'] })
  assert.deepEqual(await answer.json(), { matched: 1, deleted: 1, hasMore: false })
  const left = await api.database.queries
    .selectFrom('feedback')
    .select('id')
    .where('project_id', '=', api.acme.projectId)
    .execute()
  assert.deepEqual(left, [{ id: second }])
})

test('DELETE removes a project after checking a given name, and the project can be restored', async () => {
  const remove = (query: string, key = api.acme.key) =>
    api.fetch(`${project()}${query}`, withKey(key, { method: 'DELETE' }))
  const found = () => api.fetch(`${project()}/holdings`, withKey(api.acme.key))
  assert.equal((await remove('', api.other.key)).status, 404)
  assert.equal((await remove('?name=another')).status, 400)
  assert.equal((await found()).status, 200)
  const deleted = await remove('')
  assert.equal(deleted.status, 200)
  assert.partialDeepStrictEqual(await deleted.json(), { projectId: api.acme.projectId })
  assert.equal((await found()).status, 404)
  const restored = await api.fetch(`${project()}/restore`, withKey(api.acme.key, { method: 'POST' }))
  assert.equal(restored.status, 200)
  assert.equal((await found()).status, 200)
})
