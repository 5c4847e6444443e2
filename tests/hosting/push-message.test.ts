/** Push webhooks, in the format and with the signature of each forge. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { pushedBranches, readSignature } from '../../src/features/hosting/deploy/push-message.ts'

const SECRET = Buffer.from('it is no secret here')
const BODY = Buffer.from('{"ref":"refs/heads/main"}')
const hex = (body: Uint8Array = BODY, secret: Buffer = SECRET) =>
  createHmac('sha256', secret).update(body).digest('hex')

const SIGNED = {
  github: { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${hex()}` },
  // Gitea also sends GitHub's headers.
  gitea: {
    'x-gitea-event': 'push',
    'x-gitea-signature': hex(),
    'x-github-event': 'push',
    'x-hub-signature-256': `sha256=${hex()}`,
  },
  gitlab: { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': SECRET.toString() },
  bitbucket: { 'x-event-key': 'repo:push', 'x-hub-signature': `sha256=${hex()}` },
}

for (const [forge, headers] of Object.entries(SIGNED))
  test(`a push from ${forge} is authenticated by its signature and by nothing else`, () => {
    const signed = readSignature(headers)
    assert.deepEqual([signed?.forge, signed?.isPush], [forge, true])
    assert.equal(signed?.isRight(SECRET, BODY), true)
    assert.equal(signed?.isRight(Buffer.from('another secret'), BODY), false)
    if (forge !== 'gitlab') assert.equal(signed?.isRight(SECRET, Buffer.from('{}')), false)
    const bare = Object.fromEntries(Object.entries(headers).filter(([name]) => /event/.test(name)))
    assert.equal(readSignature(bare)?.isRight(SECRET, BODY), false)
  })

test('reads no signature from a request that names no forge', () => {
  assert.equal(readSignature({}), null)
  assert.equal(readSignature({ 'x-hub-signature-256': `sha256=${hex()}` }), null)
})

test('other events are not treated as pushes', () => {
  const events = [
    { 'x-github-event': 'ping' },
    { 'x-gitea-event': 'issues' },
    { 'x-gitlab-event': 'Merge Request Hook' },
    { 'x-event-key': 'diagnostics:ping' },
  ]
  assert.deepEqual(
    events.map((headers) => readSignature(headers)?.isPush),
    [false, false, false, false],
  )
})

test('reads branches from every message format, without tags and deleted branches', () => {
  const none = '0'.repeat(40)
  assert.deepEqual(pushedBranches({ ref: 'refs/heads/docs/new', after: 'a1' }), ['docs/new'])
  assert.deepEqual(pushedBranches({ ref: 'refs/heads/main', after: none }), [])
  assert.deepEqual(pushedBranches({ ref: 'refs/tags/v1', after: 'a1' }), [])
  const cloud = [
    { new: { type: 'branch', name: 'main' } },
    { new: null },
    { new: { type: 'tag', name: 'v1' } },
  ]
  assert.deepEqual(pushedBranches({ push: { changes: cloud } }), ['main'])
  const server = [
    { ref: { id: 'refs/heads/main' }, type: 'UPDATE' },
    { ref: { id: 'refs/heads/old' }, type: 'DELETE' },
  ]
  assert.deepEqual(pushedBranches({ changes: server }), ['main'])
})

test('reads no branches from an invalid message and at most 1000 from a large one', () => {
  for (const message of [null, 1, 'x', [], { ref: 1 }, { push: { changes: 'x' } }, { changes: [null, 1] }])
    assert.deepEqual(pushedBranches(message), [])
  const many = { changes: Array.from({ length: 100_000 }, () => ({ ref: { id: 'refs/heads/a' } })) }
  assert.ok(pushedBranches(many).length <= 1000)
})
