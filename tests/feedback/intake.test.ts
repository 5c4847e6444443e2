/** Feedback from readers and agents over HTTP: four sources, and one entry per id. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ApiUnderTest, messagesOf } from '../http/api-under-test.ts'
import { clientId, makeSite, onlyEntry, say, sayAccepted, startIntake } from './feedback-scene.ts'

let api: ApiUnderTest
before(async () => {
  api = await startIntake()
})
after(() => api[Symbol.asyncDispose]())

test('a bare vote is thumbs_only, and shows its direction only with include=vote', async () => {
  const site = await makeSite(api, 'bare')
  const receipt = await sayAccepted(api, site, { path: '/guides/deploy', helpful: false })
  const entry = await onlyEntry(api, site)
  assert.deepEqual(entry, {
    id: receipt.id,
    path: '/guides/deploy',
    comment: null,
    createdAt: entry.createdAt,
    source: 'thumbs_only',
    status: 'pending',
  })
  assert.ok(Math.abs(Date.now() - Date.parse(entry.createdAt ?? '')) < 60_000)
  assert.deepEqual(await onlyEntry(api, site, '?include=vote'), { ...entry, helpful: false })
})

test('a vote with a reason, a comment or a contact is contextual', async () => {
  for (const [name, more] of [
    ['reason', { reason: 'It is out of date' }],
    ['comment', { comment: 'Two steps are missing.' }],
    ['contact', { contact: 'reader@example.org' }],
  ] as const) {
    const site = await makeSite(api, `words-${name}`)
    const receipt = await sayAccepted(api, site, { path: '/a', helpful: true, ...more })
    assert.equal(receipt.source, 'contextual')
    const entry = await onlyEntry(api, site, '?include=reason')
    assert.deepEqual(entry, {
      id: receipt.id,
      path: '/a',
      comment: null,
      createdAt: entry.createdAt,
      source: 'contextual',
      status: 'pending',
      helpful: true,
      contact: null,
      reason: null,
      ...more,
    })
  }
})

test('a bare vote that gets a comment later stays one entry with the same id and time', async () => {
  const site = await makeSite(api, 'upgrade')
  const id = clientId()
  const vote = await sayAccepted(api, site, { id, path: '/a', helpful: true })
  const born = await onlyEntry(api, site)
  const upgraded = await sayAccepted(api, site, { id, path: '/a', helpful: false, comment: 'Step 3 fails.' })
  assert.deepEqual([vote.source, upgraded.source, upgraded.id], ['thumbs_only', 'contextual', vote.id])
  const entry = await onlyEntry(api, site)
  assert.deepEqual(entry, {
    id: vote.id,
    path: '/a',
    comment: 'Step 3 fails.',
    createdAt: born.createdAt,
    source: 'contextual',
    status: 'pending',
    helpful: false,
    contact: null,
  })
})

test('a changed vote stays one entry, and a late repetition of the bare vote keeps the comment', async () => {
  const site = await makeSite(api, 'changed')
  const id = clientId()
  await sayAccepted(api, site, { id, path: '/a', helpful: true })
  await sayAccepted(api, site, { id, path: '/a', helpful: false })
  assert.equal(((await onlyEntry(api, site, '?include=vote')) as { helpful?: boolean }).helpful, false)
  await sayAccepted(api, site, { id, path: '/a', helpful: false, comment: 'No.', contact: 'a@example.org' })
  await sayAccepted(api, site, { id, path: '/a', helpful: false })
  const entry = await onlyEntry(api, site)
  assert.deepEqual([entry.source, entry.comment], ['contextual', 'No.'])
})

test('50 parallel repetitions of one message create one entry and get the same response', async () => {
  const site = await makeSite(api, 'parallel')
  const body = { id: clientId(), path: '/a', helpful: true, comment: 'once' }
  const answers = await Promise.all(Array.from({ length: 50 }, () => say(api, site, body)))
  const texts = await Promise.all(answers.map((answer) => answer.text()))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
  assert.equal(new Set(texts).size, 1)
  await onlyEntry(api, site)
})

test('returns 409 for an id reused on another page or for another kind, and changes nothing', async () => {
  const site = await makeSite(api, 'other-id')
  const id = clientId()
  await sayAccepted(api, site, { id, path: '/a', helpful: true })
  for (const body of [
    { id, path: '/b', helpful: true },
    { id, path: '/a', code: 'x' },
    { id, path: '/a', feedback: 'from an agent' },
  ]) {
    assert.equal((await say(api, site, body)).status, 409)
  }
  assert.equal((await onlyEntry(api, site)).path, '/a')
})

test('the same id at two sites creates two entries', async () => {
  const [one, two] = [await makeSite(api, 'first-site'), await makeSite(api, 'second-site')]
  const body = { id: clientId(), path: '/a', helpful: true }
  assert.notEqual((await sayAccepted(api, one, body)).id, (await sayAccepted(api, two, body)).id)
})

test('feedback on a code block keeps 10,000 characters of code unchanged, and rejects one more', async () => {
  const site = await makeSite(api, 'code')
  const code = `\tif (a < b && "c" > 'd') {\r\n  \u00a0\u202e😀 = \\u0041 ${'x'.repeat(10_000)}`
  const exact = [...code].slice(0, 10_000).join('')
  const receipt = await sayAccepted(api, site, {
    path: '/a',
    code: exact,
    filename: 'a b.ts',
    lang: 'ts',
    comment: 'fails',
  })
  const entry = await onlyEntry(api, site)
  assert.deepEqual(entry, {
    id: receipt.id,
    path: '/a',
    comment: 'fails',
    createdAt: entry.createdAt,
    source: 'code_snippet',
    status: 'pending',
    code: exact,
    filename: 'a b.ts',
    lang: 'ts',
  })
  const refused = await say(api, site, { path: '/a', code: `${exact}y` })
  assert.equal(refused.status, 400)
  assert.deepEqual(await messagesOf(refused), ['`/code` must be text of 1 to 10000 characters'])
})

test('a code block without a file name and language has null for both', async () => {
  const site = await makeSite(api, 'code-bare')
  await sayAccepted(api, site, { path: '/a', code: 'ls' })
  const entry = await onlyEntry(api, site)
  assert.ok(entry.source === 'code_snippet')
  assert.deepEqual([entry.filename, entry.lang, entry.comment], [null, null, null])
})

test('agent feedback keeps 2,048 characters, rejects one more and has its own rate limit', async () => {
  const site = await makeSite(api, 'agent')
  const text = '😀'.repeat(2048)
  const receipt = await sayAccepted(api, site, { path: '/a', feedback: text })
  const entry = await onlyEntry(api, site)
  assert.deepEqual(entry, {
    id: receipt.id,
    path: '/a',
    comment: text,
    createdAt: entry.createdAt,
    source: 'agent',
    status: 'pending',
  })
  assert.equal((await say(api, site, { path: '/a', feedback: `${text}.` })).status, 400)
  for (let i = 0; i < 2; i++) await sayAccepted(api, site, { path: '/a', feedback: `more ${i}` })
  const refused = await say(api, site, { path: '/a', feedback: 'too much' })
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('ratelimit-policy'), '"agentFeedback";q=3;w=3600')
  assert.ok(Number(refused.headers.get('retry-after')) > 3500)
  assert.equal((await say(api, site, { path: '/a', helpful: true })).status, 201, 'readers have their own')
})
