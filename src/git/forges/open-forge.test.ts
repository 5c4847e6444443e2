import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ForgeError, type ForgeErrorReason } from './forge.ts'
import { createForgeLocation, findForgeKind, parseForgeAddress } from './forge-location.ts'
import { credentialsFor, type ForgeSettings, openForge } from './open-forge.ts'
import { findOnPages } from './rest-forge.ts'

const KINDS = {
  'git.example.com': 'gitlab',
  'code.example.com:3000': 'gitea',
  'ghe.example.com': 'github',
} as const

const SETTINGS: ForgeSettings = { kinds: KINDS, tokens: {}, githubApp: null }

function placeOf(address: string) {
  const at = parseForgeAddress(address, { hosts: Object.keys(KINDS), allowHttp: false })
  const kind = findForgeKind(at.host, KINDS)
  if (kind === undefined) return null
  const { apiOrigin, path } = createForgeLocation(kind, at, {})
  return `${kind} ${apiOrigin} ${path}`
}

function refuses(work: () => unknown, reason: ForgeErrorReason, sentence: RegExp): void {
  assert.throws(work, (error) => {
    assert.ok(error instanceof ForgeError, String(error))
    assert.equal(error.reason, reason, error.message)
    assert.match(error.message, sentence)
    return true
  })
}

test('an address resolves to its forge, API origin and repository path', () => {
  const places: Record<string, string | null> = {
    'https://github.com/acme/docs': 'github https://api.github.com acme/docs',
    'https://GitHub.com/acme/docs.git/': 'github https://api.github.com acme/docs',
    'git@github.com:acme/docs.git': 'github https://api.github.com acme/docs',
    'ssh://git@github.com:22/acme/docs.git': 'github https://api.github.com acme/docs',
    'https://acme.ghe.com/acme/docs': 'github https://api.acme.ghe.com acme/docs',
    'https://ghe.example.com/acme/docs.site': 'github https://ghe.example.com acme/docs.site',
    'https://gitlab.com/acme/hand%2Dbook/docs.git': 'gitlab https://gitlab.com acme/hand-book/docs',
    'git@git.example.com:a/b/c/d.git': 'gitlab https://git.example.com a/b/c/d',
    'ssh://git@Git.Example.com:2222/a/b.git': 'gitlab https://git.example.com a/b',
    'https://codeberg.org/acme/docs': 'gitea https://codeberg.org acme/docs',
    'git@bitbucket.org:acme/docs.git': 'bitbucket https://api.bitbucket.org acme/docs',
    'https://code.example.com:3000/acme/docs.git': 'gitea https://code.example.com:3000 acme/docs',
    'git@code.example.com:acme/docs.git': 'gitea https://code.example.com:3000 acme/docs',
    'https://secret@github.com/acme/docs': 'github https://api.github.com acme/docs',
    'https://elsewhere.example.com/acme/docs': null,
    'https://github.com.example.com/acme/docs': null,
  }
  for (const [address, place] of Object.entries(places)) assert.equal(placeOf(address), place, address)
})

test('rejects an invalid repository path before any request', () => {
  const addresses = [
    'https://github.com/acme',
    'https://github.com/acme/docs/tree/main',
    'https://gitlab.com/docs',
    'https://github.com/acme/a%2Fb',
    'https://github.com/acme/a%20b',
    'https://github.com/acme/%2e%2e',
    'https://github.com/acme/docs%00',
    'https://github.com//docs',
    'https://github.com/',
  ]
  for (const address of addresses)
    refuses(() => placeOf(address), 'repository_missing', /path of a repository/)
  refuses(() => placeOf('http://github.com/acme/docs'), 'refused', /not encrypted/)
  refuses(() => placeOf('/srv/docs'), 'refused', /folder of the server/)
})

test('the error names the missing setting', () => {
  const open = (address: string) => () => openForge(address, SETTINGS)
  refuses(
    open('https://elsewhere.example.com/a/b'),
    'refused',
    /elsewhere\.example\.com=gitea .* OCTAVO_FORGES/,
  )
  refuses(
    open('https://gitlab.com/a/b'),
    'credentials_refused',
    /has no token for gitlab\.com.*Git access\.$/,
  )
  refuses(open('https://github.com/a/b'), 'credentials_refused', /GitHub App/)
})

test('passes git the token of the exact host, with the user name that the forge expects', async () => {
  const tokens = { 'github.com': 'g', 'git.example.com': 'l', 'code.example.com:3000': 't', 'other.com': 'o' }
  const given = (address: string) => credentialsFor(address, { ...SETTINGS, tokens })
  assert.deepEqual(await given('https://github.com/a/b'), { token: 'g' })
  assert.deepEqual(await given('https://git.example.com/a/b'), { username: 'oauth2', token: 'l' })
  assert.deepEqual(await given('https://code.example.com:3000/a/b'), { token: 't' })
  assert.deepEqual(await given('https://other.com/a/b'), { token: 'o' })
  assert.deepEqual(await given('https://mine@github.com/a/b'), {}, 'it has its own')
  assert.deepEqual(await given('https://gitlab.com/a/b'), {})
  assert.deepEqual(await given('https://github.com:8443/a/b'), {})
  assert.deepEqual(await given('git@github.com:a/b.git'), { operatorKeys: false })
})

test('the token with the longest matching path is used, and no path encoding selects another', async () => {
  const tokens = { 'git.io': 'host', 'git.io/acme': 'acme', 'git.io/acme/docs': 'docs' }
  const used: string[] = []
  const settings = { ...SETTINGS, tokens, onTokenUsed: (prefix: string) => used.push(prefix) }
  for (const [path, token] of [
    ['acme/docs.git', 'docs'],
    ['Acme/Docs', 'docs'],
    ['acme/docs-old', 'acme'],
    ['acme2/docs', 'host'],
    ['other/../acme/docs', 'docs'],
    ['acme/docs/%2e%2e/%2e%2e/other/x', 'host'],
    ['acme%2f..%2fother/x', 'host'],
    ['acme/%252e%252e/other', 'host'],
    ['acme//docs', 'host'],
  ] as const)
    assert.equal((await credentialsFor(`https://git.io/${path}`, settings)).token, token, path)
  assert.equal(used.length, 9)
  assert.deepEqual(await credentialsFor('https://git.io.evil.com/acme/docs', settings), {})
})

test('SSH keys and the GitHub App are used only within their configured scope', async () => {
  const settings = { ...SETTINGS, sshKeysWithin: ['github.com/acme', 'git.io:2222'] }
  for (const [address, operatorKeys] of [
    ['git@github.com:acme/docs.git', true],
    ['ssh://git@github.com/acme/docs.git', true],
    ['ssh://git@git.io:2222/x', true],
    ['ssh://git@git.io/x', false],
    ['git@github.com:other/docs.git', false],
    ['git@github.com:acme/../other/docs.git', false],
  ] as const)
    assert.deepEqual(await credentialsFor(address, settings), { operatorKeys }, address)
  const app = { appId: '1', privateKey: 'none' }
  const bound = { ...SETTINGS, githubApp: app, githubAppWithin: ['github.com/acme'] }
  assert.deepEqual(await credentialsFor('https://github.com/other/docs', bound), {})
  refuses(() => openForge('https://github.com/other/docs', bound), 'credentials_refused', /has no token/)
  assert.equal(openForge('https://github.com/acme/docs', bound).kind, 'github')
})

test('reading an endless forge list stops at the page limit', async () => {
  let pages = 0
  const found = await findOnPages(1, async () => {
    pages += 1
    return { found: null, count: 1 }
  })
  assert.equal(found, null)
  assert.equal(pages, 100)
})
