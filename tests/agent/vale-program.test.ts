/** Tests the external `vale` program, replaced by a script that prints Vale's documented output. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openMemoryTree } from '../../src/base/files/memory-tree.ts'
import { checkWithVale } from '../../src/features/agent/check/prose/vale-program.ts'

const { signal } = new AbortController()
const RULES = {
  '.vale.ini': 'StylesPath = styles\n[*.mdx]\nBasedOnStyles = House\n',
  'styles/House/A.yml': 'extends: existence\n',
}
const canUnshare = spawnSync('unshare', ['--map-root-user', '--net', 'true']).status === 0

/** Reports `utilize` in each page in Vale's output format. `@MORE@` is replaced with commands to run first. */
const SCRIPT = `#!/bin/bash
@MORE@
echo '{'
for file in *.mdx; do
  while IFS=: read -r line rest; do
    echo '"'$file'": [{"Action":{"Name":"","Params":null},"Span":[1,7],"Check":"House.A","Description":"","Link":"","Message":"Use use.","Severity":"error","Match":"utilize","Line":'$line'},'
    echo '{"Check":"House.B","Message":"A hint.","Severity":"suggestion","Line":1}]'
  done < <(grep -n utilize "$file" | head -1)
done
echo '}'
`

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-vale-test-'))
})
after(() => rm(folder, { recursive: true }))

async function check(more: string, files: Record<string, string> = {}) {
  const program = join(folder, 'vale')
  await writeFile(
    program,
    SCRIPT.replace('@MORE@', () => more),
  )
  await chmod(program, 0o755)
  const trees = {
    before: openMemoryTree({ ...RULES, ...files, 'a.mdx': 'It was.\n' }),
    after: openMemoryTree({ ...RULES, ...files, 'a.mdx': 'It is.\n\nWe utilize it.\n' }),
  }
  return await checkWithVale(program, { ...trees, changes: [{ path: 'a.mdx', change: 'modified' }] }, signal)
}

test('reports errors that a change introduces on their lines', {
  skip: !canUnshare,
}, async () => {
  const found = await check('')
  assert.deepEqual(found, {
    problems: [
      {
        file: 'a.mdx',
        line: 3,
        code: 'prose.rule',
        level: 'error',
        message: 'Use use. (House.A)',
        remedy: 'Rewrite it to follow the rule.',
      },
    ],
    rules: 1,
    undone: [],
  })
  assert.deepEqual(await readdir(folder), ['vale'])
})

test('does not run without a .vale.ini file', async () => {
  const trees = { before: openMemoryTree({}), after: openMemoryTree({ 'a.mdx': 'utilize' }) }
  const changes = [{ path: 'a.mdx', change: 'added' as const }]
  assert.equal(await checkWithVale('/nonexistent', { ...trees, changes }, signal), null)
})

test('the vale program has no network access', { skip: !canUnshare }, async () => {
  const requests: unknown[] = []
  const server = createServer((request, reply) => {
    requests.push(request.url)
    reply.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const found = await check(`(exec 3<>/dev/tcp/127.0.0.1/${port} && echo reached >&2 && exit 9) && exit 9`)
  assert.equal(found?.problems.length, 1)
  assert.deepEqual(requests, [])
  server.closeAllConnections()
  server.close()
})

const FAILING: readonly [what: string, more: string, said: RegExp][] = [
  ['that fails', 'echo "E100 [.vale.ini] broken" >&2; exit 2', /E100/],
  ['that writes no JSON', 'echo oh; exit 0', /not JSON/],
  ['that writes a list', 'echo "[1]"; exit 0', /not JSON/],
  ['that writes without end', 'yes "{}"', /too large/],
]
for (const [what, more, said] of FAILING)
  test(`a vale program ${what} does not fail the job, and the failure is reported`, {
    skip: !canUnshare,
  }, async () => {
    const found = await check(more)
    assert.deepEqual(found?.problems, [])
    assert.match(found?.undone.join() ?? '', said)
  })

const OUTSIDE: readonly [what: string, files: Record<string, string>, undone: string[]][] = [
  ['a folder of styles by its full path', { '.vale.ini': 'StylesPath = /etc\n' }, ['StylesPath']],
  ['a folder of styles above', { '.vale.ini': 'StylesPath = "../styles"\n' }, ['StylesPath']],
  [
    'a dictionary elsewhere',
    { 'styles/House/S.yml': 'extends: spelling\ndicpath: /usr/share\n' },
    ['styles/House/S.yml'],
  ],
  [
    'a list elsewhere',
    { 'styles/House/S.yml': 'extends: spelling\nignore:\n  - ../../secret\n' },
    ['styles/House/S.yml'],
  ],
]
for (const [what, files, undone] of OUTSIDE)
  test(`skips and reports rules with ${what}`, { skip: !canUnshare }, async () => {
    assert.deepEqual((await check('', files))?.undone, undone)
  })
