import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toGitError } from './git-error.ts'

const address = 'https://git.example.com/docs'

test('maps git output to an error reason', () => {
  for (const [said, reason] of [
    [`remote: Not Found\nfatal: repository '${address}/' not found`, 'repository_missing'],
    ['ERROR: Repository not found.\nfatal: Could not read from remote repository.', 'repository_missing'],
    [`fatal: could not read Username for 'https://x': terminal prompts disabled`, 'credentials_refused'],
    [`fatal: Authentication failed for '${address}/'`, 'credentials_refused'],
    ['git@x: Permission denied (publickey).\nfatal: Could not read from remote', 'credentials_refused'],
    ['Host key verification failed.', 'credentials_refused'],
    [`fatal: unable to access '${address}/': Could not resolve host: x`, 'repository_unreachable'],
    [`fatal: unable to access '${address}/': SSL certificate problem: expired`, 'repository_unreachable'],
    [`fatal: detected dubious ownership in repository at '/srv/docs'`, 'repository_of_another_user'],
    [`fatal: transport 'ext' not allowed`, 'repository_invalid'],
    [`fatal: couldn't find remote ref nope`, 'ref_missing'],
    ['fatal: something new', 'failed'],
  ] as const) {
    assert.equal(toGitError(address, said).reason, reason, said)
  }
})

test('the message names the repository, and quotes git for an unknown reason', () => {
  assert.equal(
    toGitError(address, '').message,
    `The repository ${address} could not be read: git gave no reason.`,
  )
  const error = toGitError(address, 'hint: x\nfatal: pack is broken.\n')
  assert.equal(error.message, `The repository ${address} could not be read: pack is broken.`)
})

test('removes credentials from git output', () => {
  const said = `fatal: unable to access 'https://me:secret@x/': bad\nAuthorization: Basic c2VjcmV0`
  assert.doesNotMatch(toGitError(address, said).detail, /secret|c2VjcmV0/)
})
