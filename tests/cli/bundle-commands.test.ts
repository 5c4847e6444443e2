/** `octavo verify` and `octavo diff`, on what `octavo build` makes. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
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

test('pages are compared by what they say, not by the navigation around them', async () => {
  const { code, stdout } = await run('diff', 'one', 'two')
  assert.equal(code, 0)
  assert.match(stdout, /^\+ new\n- old\n~ use\nPages: 1 added, 1 removed, 1 changed\. Other files: /)
  const json = JSON.parse((await run('diff', 'one', 'one', '--json')).stdout)
  const none = { added: [], removed: [], changed: [] }
  assert.deepEqual(json, { pages: none, files: none })
})

test('a folder is whole, until something in it is not', async () => {
  const whole = await run('verify', 'two')
  assert.equal(whole.code, 0)
  assert.match(whole.stdout, /two is whole: \d+ files, \d+\.\d MB, made of content:[0-9a-f]{64}\./)
  const page = readFileSync(join(place, 'two', 'use.html'))
  writeFileSync(join(place, 'two', 'use.html'), `${page}<script>1</script>`)
  writeFileSync(join(place, 'two', 'more.html'), '')
  symlinkSync('/etc/passwd', join(place, 'two', 'link.html'))
  rmSync(join(place, 'two', 'new.md'))
  const { code, stdout } = await run('verify', 'two', '--json')
  assert.equal(code, 1)
  assert.deepEqual(JSON.parse(stdout).faults, [
    'link.html is no plain file',
    'new.md is missing',
    'more.html is not in the manifest',
    'use.html differs',
  ])
  const refused = await run('diff', 'one', 'two')
  assert.equal(refused.code, 2)
  assert.match(refused.stderr, /two is no whole bundle: link\.html is no plain file/)
})

test('what is not there, or no bundle, is told in a line', async () => {
  const missing = await run('verify', 'nowhere')
  assert.equal(missing.code, 2)
  assert.match(missing.stderr, /There is no archive and no folder nowhere\./)
  writeFileSync(join(place, 'text.tar.gz'), 'hello')
  const { code, stdout } = await run('verify', 'text.tar.gz')
  assert.equal(code, 1)
  assert.match(stdout, /manifest\.json is missing\n.*is not what was made/)
})
