/**
 * Measures the alarms of `octavo truth` on checkouts of repositories that contain both docs and code.
 *
 *   node bench/statements.ts seeds  [--seed 1] [--count 20] <checkout>=<docs folder> …
 *   node bench/statements.ts replay [--seed 1] [--count 200] <checkout>=<docs folder> …
 *
 * `seeds` changes the code of each checkout in `--count` ways, one at a time, and compares the alarms with the
 * falsified lines of the docs, which a separate search finds. `replay` compares random commits with their parents.
 * Nothing is written to the checkouts.
 */
import { parseArgs } from 'node:util'
import { type Alarm, type ChangedFile, findAlarms } from '../src/features/statements/find-alarms.ts'
import { HISTORY_PAGE } from '../src/features/statements/names.ts'
import { type CodeFacts, isReadableCodeFile, readCode } from '../src/features/statements/read-code.ts'
import { readPage, type Statement } from '../src/features/statements/read-page.ts'
import { git } from '../src/git/git.ts'
import { openObjectReader } from '../src/git/object-reader.ts'
import { type Line, makeSeeds, type Seed } from './statement-seeds.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string' },
    show: { type: 'boolean', default: false },
  },
})
const [mode, ...checkouts] = positionals
const count = Number(values.count ?? (mode === 'replay' ? 200 : 20))

/** Deterministic random numbers (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

async function openCheckout(named: string) {
  const [path = '', docs = 'docs'] = named.split('=')
  const gitDir = (
    await git(['rev-parse', '--absolute-git-dir'], {
      startIn: path,
      address: path,
      config: [['safe.directory', '*']],
    })
  )
    .toString()
    .trim()
  const call = { gitDir, address: path, config: [['safe.directory', '*']] as const }
  const reader = openObjectReader(call)
  const texts = new Map<string, string>()
  const facts = new Map<string, CodeFacts>()
  const pages = new Map<string, Statement[]>()
  const prefix = `${docs}/`
  const text = async (id: string) => {
    const known = texts.get(id)
    if (known !== undefined) return known
    const read = (await reader.read(id)).toString('utf8')
    if (texts.size > 20_000) texts.clear()
    texts.set(id, read)
    return read
  }
  return {
    name: path.split('/').findLast((part) => part.includes('+')) ?? path,
    text,
    close: () => reader[Symbol.asyncDispose](),
    log: async (args: string[]) =>
      (await git(['log', '--no-show-signature', ...args], { ...call, maxOutputBytes: 64 << 20 })).toString(),
    async tree(commit: string) {
      const listing = (
        await git(['ls-tree', '-r', '-l', '-z', commit], { ...call, maxOutputBytes: 64 << 20 })
      ).toString()
      const code = new Map<string, string>()
      const docPages = new Map<string, string>()
      const paths = new Set<string>()
      for (const entry of listing.split('\0')) {
        const [, id = '', size = '', file = ''] = /^100\d+ blob (\w+) +(\d+)\t([\s\S]+)$/.exec(entry) ?? []
        if (file === '') continue
        paths.add(file)
        if (file.startsWith(prefix)) {
          if (/\.mdx?$/.test(file)) docPages.set(file.slice(prefix.length), id)
        } else if (isReadableCodeFile(file, Number(size))) code.set(file, id)
      }
      return { code, pages: docPages, paths }
    },
    async facts(file: string, id: string) {
      const key = `${file.slice(file.lastIndexOf('.'))} ${id}`
      const known = facts.get(key) ?? readCode(file, await text(id))
      facts.set(key, known)
      return known
    },
    async statements(id: string) {
      const known = pages.get(id) ?? readPage(await text(id))
      pages.set(id, known)
      return known
    },
  }
}

type Checkout = Awaited<ReturnType<typeof openCheckout>>

async function pagesOf(checkout: Checkout, tree: Awaited<ReturnType<Checkout['tree']>>) {
  const pages: { file: string; statements: Statement[] }[] = []
  for (const [file, id] of tree.pages) pages.push({ file, statements: await checkout.statements(id) })
  return pages
}

interface Row {
  name: string
  changes: number
  falsified: number
  flagged: number
  flags: number
  falseFlags: number
}

async function measureSeeds(checkout: Checkout): Promise<Map<string, Row>> {
  const tree = await checkout.tree('HEAD')
  const code = new Map<string, string>()
  for (const [file, id] of tree.code) code.set(file, await checkout.text(id))
  const docs = new Map<string, string>()
  for (const [file, id] of tree.pages) if (!HISTORY_PAGE.test(file)) docs.set(file, await checkout.text(id))
  const pages = await pagesOf(checkout, tree)
  const facts = new Map<string, CodeFacts>()
  for (const [file, id] of tree.code) facts.set(file, await checkout.facts(file, id))
  const rows = new Map<string, Row>()
  for (const seed of makeSeeds({
    code,
    docs,
    paths: tree.paths,
    random: createRandom(Number(values.seed)),
    count,
  })) {
    const changed: ChangedFile[] = [...seed.changed].map(([path, after]) => ({
      path,
      before: code.get(path) ?? null,
      after,
    }))
    const after = new Map(facts)
    const paths = new Set(tree.paths)
    for (const [path, text] of seed.changed) {
      if (text === null) {
        after.delete(path)
        paths.delete(path)
      } else {
        after.set(path, readCode(path, text))
        paths.add(path)
      }
    }
    const alarms = findAlarms({
      changed,
      after: after.values(),
      pages,
      paths: { before: tree.paths, after: paths },
    })
    const matches = (alarm: Alarm, line: Line) => isSameStatement(alarm, line, docs, seed.token)
    const missed = seed.falsified.filter((line) => !alarms.some((alarm) => matches(alarm, line)))
    const codeAfter = [...code]
      .map(([path, text]) => (seed.changed.has(path) ? (seed.changed.get(path) ?? '') : text))
      .join('\n')
    const wrong = alarms.filter(
      (alarm) =>
        !seed.falsified.some((line) => matches(alarm, line)) && !isRight(alarm, seed, docs, codeAfter),
    )
    const row = rows.get(seed.kind) ?? {
      name: seed.kind,
      changes: 0,
      falsified: 0,
      flagged: 0,
      flags: 0,
      falseFlags: 0,
    }
    rows.set(seed.kind, {
      name: seed.kind,
      changes: row.changes + 1,
      falsified: row.falsified + seed.falsified.length,
      flagged: row.flagged + seed.falsified.length - missed.length,
      flags: row.flags + alarms.length,
      falseFlags: row.falseFlags + wrong.length,
    })
    if (values.show) {
      console.log(`\n${checkout.name} ${seed.kind}: ${seed.what} (${seed.falsified.length} lines)`)
      for (const line of missed.slice(0, 4))
        console.log(
          `  MISSED ${line.page}:${line.line} ${docs.get(line.page)?.split('\n')[line.line - 1]?.trim().slice(0, 140)}`,
        )
      for (const alarm of wrong.slice(0, 4))
        console.log(
          `  FALSE  ${alarm.page}:${alarm.line} [${alarm.reason} ${alarm.name}] ${alarm.text.slice(0, 140)}`,
        )
    }
  }
  return rows
}

/** A statement begins on the line of its alarm and may continue on the next lines. */
function isSameStatement(
  alarm: Alarm,
  { page, line }: Line,
  docs: ReadonlyMap<string, string>,
  token: string,
): boolean {
  if (alarm.page !== page || line < alarm.line || line > alarm.line + 12) return false
  if (line === alarm.line) return true
  const lines = docs.get(page)?.split('\n') ?? []
  const between = lines.slice(alarm.line - 1, line)
  return (
    between.every((text) => text.trim() !== '') && (alarm.text.includes(token) || alarm.text.length >= 300)
  )
}

/**
 * Whether an alarm outside the falsified lines is still correct. It is if its text contains the changed name, or the
 * changed value with the name in any spelling in its text, paragraph or heading, without code marks. It also is if the
 * flagged name does not occur in the changed code.
 */
function isRight(alarm: Alarm, seed: Seed, docs: ReadonlyMap<string, string>, code: string): boolean {
  const lines = docs.get(alarm.page)?.split('\n') ?? []
  const above = lines.slice(0, alarm.line)
  const heading = above.findLast((line) => line.startsWith('#')) ?? ''
  const paragraph = above.slice(above.findLastIndex((line) => line.trim() === '') + 1).join(' ')
  const has = (text: string, word: string) =>
    new RegExp(`(?<![\\w-])${word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}(?![\\w])`).test(text)
  const key = (text: string) => text.replace(/[^A-Za-z0-9]/g, '').toLowerCase()
  const text = `${alarm.text} ${lines[alarm.line - 1]}`
  if (
    seed.name !== undefined &&
    has(text.toLowerCase(), seed.token.toLowerCase()) &&
    key(text + heading + paragraph).includes(key(seed.name))
  )
    return true
  if (seed.name === undefined && has(text, seed.token)) return true
  return alarm.reason === 'gone' && has(text, alarm.name) && !has(code, alarm.name)
}

async function replay(checkout: Checkout) {
  const random = createRandom(Number(values.seed))
  const commits = (await checkout.log(['--no-merges', '--format=%H %P', 'HEAD']))
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
  const [changes, comments, statements] = [[] as string[], [] as string[], [] as number[]]
  const pool = commits.slice(0, Math.floor(commits.length * 0.8)).filter(([, parent]) => parent !== undefined)
  let looked = 0
  while (looked < count && pool.length > 0) {
    const [[commit = '', parent = ''] = []] = pool.splice(Math.floor(random() * pool.length), 1)
    const [before, after] = [await checkout.tree(parent), await checkout.tree(commit)]
    looked += 1
    const names = new Set([...before.code.keys(), ...after.code.keys()])
    const different = [...names].filter((file) => before.code.get(file) !== after.code.get(file))
    if (different.length === 0) continue
    changes.push(commit)
    const changed: ChangedFile[] = []
    for (const path of different) {
      const [was, is] = [before.code.get(path), after.code.get(path)]
      changed.push({
        path,
        before: was === undefined ? null : await checkout.text(was),
        after: is === undefined ? null : await checkout.text(is),
      })
    }
    const facts: CodeFacts[] = []
    for (const [file, id] of after.code) facts.push(await checkout.facts(file, id))
    const alarms = findAlarms({
      changed,
      after: facts,
      pages: await pagesOf(checkout, after),
      paths: { before: before.paths, after: after.paths },
    })
    if (alarms.length === 0) continue
    comments.push(commit)
    statements.push(alarms.length)
    if (values.show) {
      console.log(
        `\n${checkout.name} ${commit.slice(0, 10)} ${(await checkout.log(['-1', '--format=%s', commit])).trim()} (${different.length} files, ${alarms.length} alarms)`,
      )
      for (const alarm of alarms.slice(0, 3))
        console.log(
          `  ${alarm.page}:${alarm.line} [${alarm.reason} ${alarm.name}] ${alarm.text.slice(0, 110)}\n    - ${alarm.before.file}:${alarm.before.line} ${alarm.before.text.slice(0, 110)}\n    + ${alarm.after?.text.slice(0, 110) ?? ''}`,
        )
    }
  }
  return { looked, changes: changes.length, comments: comments.length, statements }
}

const percent = (part: number, whole: number) =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`

if (mode === 'seeds') {
  const total = new Map<string, Row>()
  for (const named of checkouts) {
    const checkout = await openCheckout(named)
    const sum: Row = { name: checkout.name, changes: 0, falsified: 0, flagged: 0, flags: 0, falseFlags: 0 }
    for (const [kind, row] of await measureSeeds(checkout))
      for (const into of [
        sum,
        total.get(kind) ??
          (total
            .set(kind, { ...sum, name: kind, changes: 0, falsified: 0, flagged: 0, flags: 0, falseFlags: 0 })
            .get(kind) as Row),
      ])
        for (const key of ['changes', 'falsified', 'flagged', 'flags', 'falseFlags'] as const)
          into[key] += row[key]
    total.set(checkout.name, sum)
    await checkout.close()
  }
  console.log('\n| | changes | falsified | flagged | flags | false |\n|---|---|---|---|---|---|')
  for (const { name, changes, falsified, flagged, flags, falseFlags } of total.values())
    console.log(
      `| ${name} | ${changes} | ${falsified} | ${flagged} (${percent(flagged, falsified)}) | ${flags} | ${falseFlags} (${percent(falseFlags, flags)}) |`,
    )
} else if (mode === 'replay') {
  console.log('| | commits | code changes | with a comment | statements, median |\n|---|---|---|---|---|')
  for (const named of checkouts) {
    const checkout = await openCheckout(named)
    const { looked, changes, comments, statements } = await replay(checkout)
    const median = statements.sort((a, b) => a - b)[Math.floor(statements.length / 2)] ?? 0
    console.log(
      `| ${checkout.name} | ${looked} | ${changes} | ${comments} (${percent(comments, changes)}) | ${median} |`,
    )
    await checkout.close()
  }
} else {
  console.error(
    'Usage: node bench/statements.ts seeds|replay [--seed n] [--count n] [--show] <checkout>=<docs folder> …',
  )
  process.exitCode = 2
}
