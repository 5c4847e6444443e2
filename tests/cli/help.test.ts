import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sourceFile } from '../../src/base/files/program-files.ts'
import type { HelpDocument } from '../../src/cli/help.ts'
import { runOctavo } from '../kit/octavo-command.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-help-'))
})
after(() => rm(folder, { recursive: true, force: true }))

const run = (...args: string[]) => runOctavo(args, { cwd: folder })

test('the version commands print the version of package.json', async () => {
  const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8'))
  for (const word of ['--version', '-v', 'version']) {
    const { code, stdout } = await run(word)
    assert.deepEqual([code, stdout], [0, `${version}\n`])
  }
})

test('help groups commands by what they need, and --help and help --json list the same commands', async () => {
  const { groups, flags } = JSON.parse((await run('help', '--json')).stdout) as HelpDocument
  assert.deepEqual(
    groups.map(({ id }) => id),
    ['site', 'node', 'api', 'data'],
  )
  const where = new Map(groups.flatMap(({ id, commands }) => commands.map(({ name }) => [name, id])))
  const expected = { check: 'site', start: 'node', 'agent run': 'api', 'keys create': 'data' }
  for (const [name, id] of Object.entries(expected)) assert.equal(where.get(name), id, name)
  assert.equal(where.get('feedback export'), 'api')
  assert.equal(where.get('feedback import'), 'data')
  assert.deepEqual(
    flags.map(({ name }) => name),
    ['json', 'help'],
  )
  const { stdout } = await run('--help')
  for (const { title, needs, commands } of groups) {
    assert.ok(stdout.includes(`\n${title}\n  ${needs}\n`), title)
    for (const { name, summary } of commands) {
      assert.ok(stdout.includes(`\n  ${name} `), name)
      assert.match(summary, /^[A-Z].*\.$/, name)
    }
  }
})

/** Import hook that prints the name of each loaded package to stderr. */
const TELL_PACKAGES = `data:text/javascript,${encodeURIComponent(
  `import { registerHooks } from 'node:module'
  registerHooks({ load(url, context, next) {
    const name = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1]
    if (name) process.stderr.write('loads ' + name + '\\n')
    return next(url, context)
  } })`,
)}`

test('help, version and commands that need no package load none', async () => {
  const env = { NODE_OPTIONS: `--import=${TELL_PACKAGES}` }
  // Runs the source, as the built program bundles its packages.
  const program = sourceFile('cli/main.ts')
  for (const line of [
    '--version',
    '--help',
    'help --json',
    'keys',
    'agent run --help',
    'keys creat',
    'new',
    'keys list',
  ]) {
    const { stderr } = await runOctavo(line.split(' '), { cwd: folder, env, program })
    assert.doesNotMatch(stderr, /^loads /m, line)
  }
  const { stderr } = await runOctavo(['check', '.'], { cwd: folder, env, program })
  assert.match(stderr, /^loads /m)
})

test('the help of a command shows its usage and what it needs', async () => {
  const help = await run('keys', 'create', '--help')
  assert.equal(help.code, 0)
  assert.match(help.stdout, / keys create \[flags\]\n\nCreate an API key.*\nNeeds: Its data folder/)
  assert.equal((await run('help', 'keys', 'create')).stdout, help.stdout)
})

test('a command group without a command lists its commands', async () => {
  const bare = await run('keys')
  assert.deepEqual([bare.code, bare.stdout], [2, ''])
  for (const name of ['keys create', 'keys list', 'keys revoke']) assert.match(bare.stderr, new RegExp(name))
  const asked = await run('keys', '--help')
  assert.deepEqual([asked.code, asked.stdout], [0, bare.stderr])
})

test('suggests the nearest name for a mistyped command or option', async () => {
  const cases: [string, RegExp][] = [
    ['chekc docs', / check\n$/],
    ['project list', / projects list\n$/],
    ['keys creat', /"keys creat". Did you mean: .* keys create\n/],
    [
      'check docs --fromat text',
      /^Unknown option '--fromat'\. Did you mean --format\? See: .* check --help\n$/,
    ],
    ['quetzalcoatl', /^There is no command "quetzalcoatl"\. See: .* --help\n$/],
  ]
  for (const [line, expected] of cases) {
    const { code, stderr } = await run(...line.split(' '))
    assert.equal(code, 2, line)
    assert.match(stderr, expected)
  }
})

test('an unknown command is printed without control characters', async () => {
  const { stderr } = await run('\u001b[2J\u001b]0;x\u0007')
  assert.deepEqual(
    [...stderr.matchAll(/\p{Cc}/gu)].map(String).filter((letter) => letter !== '\n'),
    [],
  )
})

test('usage lines name the program the way it can be called in the current environment', async () => {
  const call = async (env: Record<string, string>, cwd = folder) => {
    const [line = ''] = (await runOctavo(['check', '--help'], { cwd, env })).stdout.split('\n')
    return line.replace(' check <folder> [flags]', '')
  }
  const root = join(import.meta.dirname, '../..')
  assert.equal(await call({}, root), 'npm run -s octavo --')
  assert.equal(await call({}), `npm --prefix ${root} run -s octavo --`)
  assert.equal(await call({ npm_command: 'exec' }), 'npx octavo')
  const bin = join(folder, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'octavo'), '')
  assert.equal(await call({ PATH: bin }, root), 'npm run -s octavo --', 'no program')
  await chmod(join(bin, 'octavo'), 0o755)
  assert.equal(await call({ PATH: bin }, root), 'octavo')
})
