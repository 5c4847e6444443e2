/** Runs every command shown in README and the documentation on a node with a site. `NOT_RUN` lists the exceptions. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { OPTIONS } from '../../src/app/config/config-options.ts'
import { addKey } from '../../src/app/operator/administration.ts'
import { announceServer } from '../../src/app/operator/running-servers.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { MAIN } from '../kit/octavo-command.ts'
import { PROGRAM_ENV } from '../kit/program-env.ts'
import { smallSite, writeSite } from '../kit/site.ts'

const root = join(import.meta.dirname, '..', '..')
const run = promisify(execFile)

/** Lines that are not run, with the reason. A pattern that matches no line of the documentation fails the tests. */
const NOT_RUN: readonly { line: RegExp; reason: string }[] = [
  { line: /^npm start\b/, reason: 'installs and stays; every other test runs on what it starts' },
  { line: /^npm (?:test|run (?:check|test:long))\b/, reason: 'is what runs this' },
  { line: /^npm run demo(?::agent)?\b/, reason: 'tests/journeys/agent-demo.test.ts runs it' },
  {
    line: /^(?:OCTAVO_MODEL=\S+ )?npm run eval:agent\b/,
    reason: 'takes minutes; tests/agent/evaluation.long.test.ts runs it',
  },
  {
    line: /^(?:npm run -s octavo --|octavo|OCTAVO_MODEL=\S+ octavo) start\b/,
    reason: 'stays until it is stopped',
  },
  {
    line: /^octavo previews create\b/,
    reason: 'needs a branch; tests/hosting/previews.test.ts asks for one',
  },
  { line: /^octavo dev\b/, reason: 'stays until it is stopped; tests/preview/commands.test.ts runs it' },
  {
    line: /^octavo agent\b|\/v2\/agent\//,
    reason: 'needs a language model; tests/journeys/agent-commands.test.ts runs them',
  },
  {
    line: /OCTAVO_AUTOMATION_ADDRESS/,
    reason: 'needs the address of an automation; tests/http/automations.test.ts sends to one',
  },
  { line: /\/_octavo\/assistant"/, reason: 'needs a language model; tests/assistant asks one' },
  {
    line: /^octavo feedback import\b/,
    reason: 'needs the file of a bundle; tests/journeys/feedback-commands.test.ts runs it',
  },
  {
    line: /projects vouch\b/,
    reason: 'needs a domain that waits for its proof; tests/cli/operator-commands.test.ts runs it',
  },
  {
    line: /projects (?:delete .*--confirm|transfer .*--to|restore|archive|unarchive)\b/,
    reason: 'ends the site of all others; tests/cli/operator-commands.test.ts runs them',
  },
  { line: /members reset-password\b/, reason: 'needs a member; tests/http/members.test.ts has some' },
  { line: /^ollama\b/, reason: 'is a program of others' },
  {
    line: /octavo (?:-- )?(?:restore|move-database|backup verify --id)\b/,
    reason: 'need an empty database, or a backup of that time; tests/storage/backup.test.ts runs them',
  },
  {
    line: /\/statements\/prj_…\/stm_…\//,
    reason: 'needs a statement; tests/statements/statements.test.ts confirms one',
  },
  { line: /\/(?:opt|etc|var\/lib)\/|-C \/opt|cd \/opt|^useradd\b/, reason: 'changes the machine' },
  { line: /^(?:systemctl|journalctl)\b/, reason: 'changes the services of the machine' },
  { line: /^(?:docker|kubectl|helm)\b/, reason: 'needs a container runtime or a cluster' },
]

interface Block {
  page: string
  text: string
}

const PAGES = [
  'README.md',
  'docs/quickstart.mdx',
  'CONTRIBUTING.md',
  ...globSync('docs/**/*.{md,mdx}', { cwd: root })
    .filter((file) => !/docs\/(?:adr\/|quickstart|content\/)/.test(file))
    .sort(),
]
const blocks = (await Promise.all(PAGES.map((page) => blocksOf(page, 'bash')))).flat()

/** Returns the code blocks of one language, unindented and with continued lines joined. */
async function blocksOf(page: string, language: string): Promise<Block[]> {
  const text = await readFile(join(root, page), 'utf8')
  const pattern = new RegExp(`^([ \\t]*)\`\`\`${language}\\b[^\\n]*\\n([\\s\\S]*?)^[ \\t]*\`\`\``, 'gm')
  return [...text.matchAll(pattern)].map(([, indent = '', body = '']) => ({
    page,
    text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), '').replace(/\\\n\s*/g, ' '),
  }))
}

const isRun = (line: string) => !NOT_RUN.some((one) => one.line.test(line))

/** Maps `npm run -s octavo --` and `npx --yes octavo` to the command, and makes `curl` fail on HTTP errors. */
const PRELUDE = `set -euo pipefail
octavo() { "$NODE" "$MAIN" "$@"; }
npm() { [ "$1 $2 $3 $4" = 'run -s octavo --' ] || { echo "what is npm $*?" >&2; return 9; }; shift 4; octavo "$@"; }
npx() { [ "$1 $2" = '--yes octavo' ] || { echo "what is npx $*?" >&2; return 9; }; shift 2; octavo "$@"; }
curl() { if type -P curl >/dev/null; then command curl --fail-with-body "$@"; else "$NODE" "$CURL" "$@"; fi; }
`

/** This page shows commands next to their server, which find its URL and create a key on their own. */
const BESIDE_SERVER = 'docs/guides/keys.mdx'

let node: TestNode
let announced: AsyncDisposable | undefined
let folder: string
/** IDs for placeholders in commands, also from the output of earlier commands. */
const known: Record<string, string> = {}
before(async () => {
  node = await startTestNode()
  folder = await mkdtemp(join(tmpdir(), 'octavo-docs-commands-'))
  const site = { ...smallSite(1), 'guides/export.mdx': '---\ntitle: Export\n---\n\nText.\n' }
  // README creates ~/handbook before other pages use it.
  await writeSite(join(folder, 'docs'), site)
  // Some commands compare with the branch `main`.
  await shell(
    'git init -q -b main . && git add docs && git -c user.name=a -c user.email=a@example.com commit -qm Docs',
  )
  await mkdir(join(folder, '.octavo'))
  process.env.XDG_RUNTIME_DIR = join(folder, 'run')
  await mkdir(process.env.XDG_RUNTIME_DIR, { mode: 0o700 })
  const { port } = new URL(node.url)
  announced = await announceServer(node.node.context.config, { port: Number(port), publicUrl: node.url })
  await writeFile(join(folder, '.octavo', 'secret'), 'x')
  const { projectId } = await node.addSite('docs.localhost', site)
  await node.addSite('docs.example.com', site)
  const { key } = await addKey(node.node.context, { organizationId: node.organizationId, name: 'old' })
  Object.assign(known, { PROJECT: projectId, KEY_ID: key.id })
  await shell('octavo projects sync docs.localhost; octavo projects sync docs.example.com')
  const [, anchor = ''] = /anchor (\d+:[0-9a-f]{64})/.exec(await shell('octavo audit verify')) ?? []
  known.ANCHOR = anchor
})
after(async () => {
  await announced?.[Symbol.asyncDispose]()
  delete process.env.XDG_RUNTIME_DIR
  await node?.[Symbol.asyncDispose]()
  if (folder) await rm(folder, { recursive: true, force: true })
})

async function shell(text: string, page = ''): Promise<string> {
  const address = page === BESIDE_SERVER ? {} : { OCTAVO_URL: node.url, OCTAVO_KEY: node.key }
  const env = {
    ...PROGRAM_ENV,
    HOME: folder,
    NODE: process.execPath,
    MAIN,
    CURL: join(root, 'tests', 'kit', 'curl.mjs'),
    DATABASE_URL: node.databaseUrl,
    OCTAVO_DATA: node.dataFolder,
    OCTAVO_ALLOW_FSYNC_OFF: 'true',
    OCTAVO_BACKUP_TARGET: join(folder, 'backups', 'octavo'),
    XDG_RUNTIME_DIR: join(folder, 'run'),
    ...address,
    ...known,
  }
  const { stdout } = await run('bash', ['-c', PRELUDE + text], { cwd: folder, env })
  return stdout
}

/** Replaces placeholders of IDs and keys, and the URLs of the text with the URL of this node. */
function filledIn(page: string, text: string): string {
  const filled = text
    .replaceAll('http://localhost:4000', node.url)
    .replaceAll('https://octavo.example.com', node.url)
    .replaceAll('https://docs.example.com', `--header Host:docs.example.com ${node.url}`)
    .replaceAll('oct_…', node.key)
    .replaceAll('key_…', known.KEY_ID ?? '')
    .replaceAll('prj_…', known.PROJECT ?? '')
    .replaceAll('org_…', node.organizationId)
    .replaceAll('1207:5f1c…', known.ANCHOR ?? '')
    .replaceAll('/tmp/', `${folder}/`)
    .replaceAll('/mnt/', `${folder}/`)
  // Adding the same site twice would fail.
  return page === 'README.md' ? filled.replaceAll('handbook.localhost', 'readme.localhost') : filled
}

async function keepAnswers(answer: string): Promise<void> {
  const webhook = /"(whk_\w+)"/.exec(answer)?.[1]
  if (webhook) known.WEBHOOK = webhook
  const job = /"jobId":"(se_\w+)"/.exec(answer)?.[1]
  if (!job) return
  known.JOB = job
  assert.equal((await node.finished(job)).status, 'completed')
}

/** Commands that only read a folder. They run once, as their result is the same on every page. */
const READ_ONLY = /^(?:npm run -s octavo --|octavo|npx --yes octavo) (?:check|build) [^|>;&]*$/
const seen = new Set<string>()
const isRepeated = (line: string) => READ_ONLY.test(line) && seen.has(line)

for (const [index, { page, text }] of blocks.entries()) {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && isRun(line) && !isRepeated(line))
  for (const line of lines) seen.add(line)
  if (lines.length === 0) continue
  test(`${page}, block ${index + 1}: ${lines[0]?.slice(0, 70)}`, async () => {
    await keepAnswers(await shell(filledIn(page, lines.join('\n')), page))
  })
}

test('every pattern of skipped commands matches a documented line', () => {
  const shown = blocks.flatMap(({ text }) => text.split('\n'))
  for (const { line, reason } of NOT_RUN)
    assert.ok(
      shown.some((one) => line.test(one)),
      `${line}: ${reason}`,
    )
})

test('settings shown in the documentation exist in the program', async () => {
  const compose = await readFile(join(root, 'deploy/compose.yaml'), 'utf8')
  const ofCompose = [...compose.matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name = '']) => name)
  const variables = new Set<string>([...Object.values(OPTIONS).map(({ env }) => env), ...ofCompose])
  const settings = (await Promise.all(PAGES.map((page) => blocksOf(page, 'ini')))).flat()
  const named = settings.flatMap(({ page, text }) =>
    [...text.matchAll(/^([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => `${page} ${name}`),
  )
  assert.ok(named.length > 10)
  assert.deepEqual(
    named.filter((one) => !variables.has(one.split(' ')[1] ?? '')),
    [],
  )
})
