/** `octavo verify`, `octavo diff`, `octavo delta` and `octavo apply` on the output of `octavo build`. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runOctavo } from '../kit/octavo-command.ts'

let place: string
before(async () => {
  place = mkdtempSync(join(tmpdir(), 'octavo-bundles-'))
  mkdirSync(join(place, 'site'))
  write(
    'docs.json',
    JSON.stringify({
      theme: 'mint',
      name: 'T',
      colors: { primary: '#0F766E' },
      navigation: { pages: ['index', 'use', 'old'] },
    }),
  )
  for (const name of ['index', 'use', 'old'])
    write(`${name}.mdx`, `---\ntitle: ${name}\n---\nWords of ${name}.\n`)
  assert.equal((await run('build', 'site', '--out', 'one')).code, 0)
  write(
    'docs.json',
    JSON.stringify({
      theme: 'mint',
      name: 'T',
      colors: { primary: '#0F766E' },
      navigation: { pages: ['index', 'use', 'new'] },
    }),
  )
  rmSync(join(place, 'site', 'old.mdx'))
  write('new.mdx', '---\ntitle: New\n---\nNew words.\n')
  write('use.mdx', '---\ntitle: use\n---\nOther words.\n')
  assert.equal((await run('build', 'site', '--out', 'two')).code, 0)
})
after(() => rmSync(place, { recursive: true }))

function write(path: string, text: string): void {
  writeFileSync(join(place, 'site', path), text)
}

function run(...args: string[]) {
  return runOctavo(args, { cwd: place })
}

test('diff compares the content of pages and ignores the navigation around it', async () => {
  const { code, stdout } = await run('diff', 'one', 'two')
  assert.equal(code, 0)
  assert.match(stdout, /^\+ new\n- old\n~ use\nPages: 1 added, 1 removed, 1 changed\. Other files: /)
  const json = JSON.parse((await run('diff', 'one', 'one', '--json')).stdout)
  const none = { added: [], removed: [], changed: [] }
  assert.deepEqual(json, { pages: none, files: none })
})

test('verify accepts an intact folder, and lists changed, missing, extra and non-regular files', async () => {
  const whole = await run('verify', 'two')
  assert.equal(whole.code, 0)
  assert.match(whole.stdout, /two is intact: \d+ files, \d+\.\d MB, built from content:[0-9a-f]{64}\./)
  const page = readFileSync(join(place, 'two', 'use.html'))
  writeFileSync(join(place, 'two', 'use.html'), `${page}<script>1</script>`)
  writeFileSync(join(place, 'two', 'more.html'), '')
  symlinkSync('/etc/passwd', join(place, 'two', 'link.html'))
  rmSync(join(place, 'two', 'new.md'))
  const { code, stdout } = await run('verify', 'two', '--json')
  assert.equal(code, 1)
  assert.deepEqual(JSON.parse(stdout).faults, [
    'link.html is not a regular file',
    'new.md is missing',
    'more.html is not in the manifest',
    'use.html differs',
  ])
  const refused = await run('diff', 'one', 'two')
  assert.equal(refused.code, 2)
  assert.match(refused.stderr, /two is not a complete bundle: link\.html is not a regular file/)
})

function writeKeys(name: string): void {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  writeFileSync(join(place, `${name}.pem`), privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(join(place, `${name}.pub`), publicKey.export({ type: 'spki', format: 'pem' }))
}

test('verify --key accepts a signed bundle only with the key that signed it', async () => {
  for (const name of ['mine', 'other']) writeKeys(name)
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  writeFileSync(join(place, 'ec.pub'), publicKey.export({ type: 'spki', format: 'pem' }))
  assert.equal((await run('build', 'site', '--out', 'signed', '--sign', 'mine.pem')).code, 0)
  const verify = async (bundle: string, ...args: string[]) => {
    const { code, stdout, stderr } = await run('verify', bundle, ...args)
    return { code, text: stdout + stderr }
  }
  const cases: [string, string[], number, RegExp][] = [
    ['signed', [], 0, /is intact.*claims the signer [0-9a-f]{64}\. Verify this .* --key/s],
    ['signed', ['--key', 'mine.pub'], 0, /is intact.*Signed with the key [0-9a-f]{64}\./s],
    [
      'signed',
      ['--key', 'other.pub'],
      1,
      /is signed with the key .* not with the given key .*Do not trust it/s,
    ],
    ['one', [], 0, /is intact.*not signed, so its origin/s],
    ['one', ['--key', 'mine.pub'], 1, /it is not signed.*Ask the publisher for a signed bundle/s],
    ['signed', ['--key', 'gone.pub'], 2, /There is no file gone\.pub/],
    [
      'signed',
      ['--key', 'site/docs.json'],
      2,
      /cannot be used as a key: it contains no public key in PEM format/,
    ],
    ['signed', ['--key', 'ec.pub'], 2, /a ec key instead of an Ed25519 key/],
  ]
  for (const [bundle, args, code, text] of cases) {
    const found = await verify(bundle, ...args)
    assert.equal(found.code, code, found.text)
    assert.match(found.text, text)
  }
  const manifest = readFileSync(join(place, 'signed', 'manifest.json'), 'utf8')
  writeFileSync(join(place, 'signed', 'manifest.json'), manifest.replace('"pageCount"', ' "pageCount"'))
  assert.match((await verify('signed')).text, /is intact/)
  const bent = await verify('signed', '--key', 'mine.pub')
  assert.equal(bent.code, 1)
  assert.match(bent.text, /its signature does not match its manifest.*Do not trust it/s)
  rmSync(join(place, 'signed', 'manifest.json.sig'))
  assert.match((await verify('signed')).text, /its signature is missing/)
})

test('delta rejects folders and invalid archives without writing a file', async () => {
  const folders = await run('delta', 'one', 'two', '--out', 'update.delta')
  assert.equal(folders.code, 2)
  assert.match(folders.stderr, /one is a folder\. Deltas are created from archives/)
  writeFileSync(join(place, 'no.tar.gz'), 'hello')
  const none = await run('delta', 'no.tar.gz', 'no.tar.gz', '--out', 'update.delta')
  assert.equal(none.code, 2)
  assert.match(none.stderr, /is not a complete bundle/)
  assert.equal(existsSync(join(place, 'update.delta')), false)
})

test('verify reports a missing path and a file that is not a bundle', async () => {
  const missing = await run('verify', 'nowhere')
  assert.equal(missing.code, 2)
  assert.match(missing.stderr, /There is no archive or folder nowhere\./)
  writeFileSync(join(place, 'text.tar.gz'), 'hello')
  const { code, stdout } = await run('verify', 'text.tar.gz')
  assert.equal(code, 1)
  assert.match(stdout, /manifest\.json is missing\n.*does not match its manifest/)
})
