/** Pull request webhooks, in the documented format of each forge. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PushForge } from '../../src/features/hosting/deploy/push-message.ts'
import {
  forkRef,
  isAboutRepository,
  matchesPattern,
  readPullRequest,
} from '../../src/features/hosting/previews/pull-request-message.ts'

const MESSAGES: Record<PushForge, (state: 'open' | 'closed' | 'merged', isFork: boolean) => unknown> = {
  github: (state, isFork) => ({
    action: state === 'open' ? 'synchronize' : 'closed',
    pull_request: {
      number: 7,
      state: state === 'open' ? 'open' : 'closed',
      merged: state === 'merged',
      head: { ref: 'docs/next', repo: { id: isFork ? 2 : 1 } },
      base: { ref: 'main', repo: { id: 1 } },
    },
  }),
  gitea: (state, isFork) => ({
    action: state === 'open' ? 'synchronized' : 'closed',
    pull_request: {
      number: 7,
      state: state === 'open' ? 'open' : 'closed',
      merged: state === 'merged',
      head: { ref: 'docs/next', repo_id: isFork ? 2 : 1 },
      base: { ref: 'main', repo_id: 1 },
    },
  }),
  gitlab: (state, isFork) => ({
    object_kind: 'merge_request',
    object_attributes: {
      iid: 7,
      state: state === 'open' ? 'opened' : state,
      source_branch: 'docs/next',
      target_branch: 'main',
      source_project_id: isFork ? 2 : 1,
      target_project_id: 1,
    },
  }),
  bitbucket: (state, isFork) => ({
    pullrequest: {
      id: 7,
      state: { open: 'OPEN', closed: 'DECLINED', merged: 'MERGED' }[state],
      source: { branch: { name: 'docs/next' }, repository: { full_name: isFork ? 'ben/docs' : 'acme/docs' } },
      destination: { branch: { name: 'main' }, repository: { full_name: 'acme/docs' } },
    },
  }),
}

for (const [forge, message] of Object.entries(MESSAGES) as [PushForge, (typeof MESSAGES)[PushForge]][])
  test(`${forge}: parses open, closed and merged pull requests, and those from forks`, () => {
    const news = { number: 7, branch: 'docs/next', isFork: false, over: null }
    assert.deepEqual(readPullRequest(forge, message('open', false)), news)
    assert.deepEqual(readPullRequest(forge, message('closed', false)), { ...news, over: 'closed' })
    assert.deepEqual(readPullRequest(forge, message('merged', true)), {
      ...news,
      isFork: true,
      over: 'merged',
    })
    for (const broken of [null, 7, [], {}, { pull_request: {} }, { pullrequest: { id: -1 } }])
      assert.equal(readPullRequest(forge, broken), null)
  })

test('ignores label and text edits and recognizes messages about another repository', () => {
  const open = MESSAGES.github('open', false) as { pull_request: object }
  for (const action of ['labeled', 'assigned', 'edited', 'review_requested'])
    assert.equal(readPullRequest('github', { ...open, action }), null, action)
  const update = MESSAGES.gitlab('open', false) as { object_attributes: object }
  const told = (more: object) => ({
    ...update,
    object_attributes: { ...update.object_attributes, action: 'update', ...more },
  })
  assert.equal(readPullRequest('gitlab', told({})), null)
  assert.equal(readPullRequest('gitlab', told({ oldrev: 'a1' }))?.number, 7)
  const address = 'https://git.example.com/acme/docs.git'
  const of = (name: string) => ({ repository: { full_name: name } })
  assert.deepEqual(
    ['acme/docs', 'Acme/Docs', 'acme/api', 'me/docs', 'x-acme/docs'].map((name) =>
      isAboutRepository(of(name), address),
    ),
    [true, true, false, false, false],
  )
  assert.equal(
    isAboutRepository({ project: { path_with_namespace: 'acme/docs' } }, 'git@git.example.com:acme/docs.git'),
    true,
  )
  assert.equal(isAboutRepository({}, address), true)
})

test('a deleted fork counts as a fork, and the pull request ref depends on the forge', () => {
  const gone = {
    pull_request: { number: 7, state: 'open', head: { ref: 'x', repo: null }, base: { repo: { id: 1 } } },
  }
  assert.equal(readPullRequest('github', gone)?.isFork, true)
  assert.deepEqual(
    (['github', 'gitea', 'gitlab', 'bitbucket'] as const).map((forge) => forkRef(forge, 7)),
    ['refs/pull/7/head', 'refs/pull/7/head', 'refs/merge-requests/7/head', null],
  )
})

test('an asterisk in a pattern matches any characters, in any position and any number of times', () => {
  const names = ['docs/next', 'docs', 'next/docs', 'a', '']
  const fits = (pattern: string) => names.filter((name) => matchesPattern(name, pattern))
  assert.deepEqual(fits('*'), names)
  assert.deepEqual(fits('docs/*'), ['docs/next'])
  assert.deepEqual(fits('*docs'), ['docs', 'next/docs'])
  assert.deepEqual(fits('d*s*t'), ['docs/next'])
  assert.deepEqual(fits('docs'), ['docs'])
  assert.equal(matchesPattern('ab'.repeat(2500), `${'a*'.repeat(2500)}c`), false)
})
