/**
 * Checks that every regular expression in the sources takes linear time, because a pattern that backtracks
 * lets a single page stall a server. Part of `npm run check`; also runs alone as `node
 * scripts/check-patterns.mjs`.
 *
 * Patterns that are built at run time, or are slow but only see short texts, are listed in
 * pattern-exceptions.mjs with the reason why they are safe. A verdict depends only on the pattern and the
 * version of the checker. Because checking all patterns takes a minute and a half, verdicts are stored in
 * pattern-verdicts.jsonl; `node scripts/check-patterns.mjs --write` adds missing ones.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, sep } from 'node:path'
import { createContext, Script } from 'node:vm'
import { parseSync } from 'oxc-parser'
import { check } from 'recheck'
import { root } from './packages.mjs'
import { EXCEPTIONS } from './pattern-exceptions.mjs'

const VERDICTS = join(root, 'scripts', 'pattern-verdicts.jsonl')
const VERSION = createRequire(import.meta.url)('recheck/package.json').version
/**
 * Time limit per pattern, because patterns with many alternatives would take minutes. Patterns that exceed
 * the limit pass and are reported.
 */
const TIMEOUT_MS = 3000
const LANES = 4
const SLOW_MS = 100

const patterns = ['src', 'web'].flatMap(sourcesBelow).flatMap(patternsOf)
const verdicts = await judge(patterns)
const unused = new Set(EXCEPTIONS)
const faults = patterns.flatMap((one) => {
  const exception = EXCEPTIONS.find(
    ({ file, start }) => (file === null || file === one.file) && one.pattern.startsWith(start),
  )
  unused.delete(exception)
  const verdict = verdicts.get(keyOf(one))
  return verdict === 'linear' || verdict === 'not judged' || exception
    ? []
    : [`${one.file}:${one.line} ${one.pattern}\n    ${verdict}`]
})
if (faults.length + unused.size > 0) {
  for (const fault of faults) process.stdout.write(`${fault}\n`)
  for (const { file, start } of unused)
    process.stdout.write(`${file ?? 'a pattern'} ${start}\n    is not there any more\n`)
  process.stdout.write(
    '\nThese patterns are not linear. Scan with indexOf or a sticky pattern, bound what repeats, or name the bound of the text in scripts/pattern-exceptions.mjs.\n',
  )
}
const open = patterns.filter((one) => verdicts.get(keyOf(one)) === 'not judged').length
process.stdout.write(`${patterns.length} patterns, ${open} of them not judged in time\n`)
// The checker keeps a child process alive, so exit explicitly.
process.exit(faults.length + unused.size > 0 ? 1 : 0)

function sourcesBelow(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, name).split(sep).join('/'))
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\.d\.ts$|\/node_modules\/|\/dist\//.test(name))
    .sort()
}

/** Finds regex literals and calls of RegExp. A call with a dynamic pattern is identified by its source text. */
function patternsOf(file) {
  const text = readFileSync(join(root, file), 'utf8')
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  const found = []
  const add = (node, pattern, flags) =>
    found.push({ file, line: text.slice(0, node.start).split('\n').length, pattern, flags })
  const visit = (node) => {
    if (node.type === 'Literal' && node.regex) add(node, node.regex.pattern, node.regex.flags)
    if (/^(?:New|Call)Expression$/.test(node.type) && node.callee.name === 'RegExp') {
      const [pattern, flags] = node.arguments
      if (typeof pattern?.value === 'string') add(node, pattern.value, String(flags?.value ?? ''))
      else add(node, text.slice(node.start, node.end), null)
    }
    for (const child of Object.values(node)) {
      for (const one of Array.isArray(child) ? child : [child]) if (typeof one?.type === 'string') visit(one)
    }
  }
  visit(program)
  return found
}

function keyOf({ pattern, flags }) {
  return `/${pattern}/${flags}`
}

async function judge(found) {
  const known = readVerdicts()
  const wanted = new Map(found.map((one) => [keyOf(one), one]))
  const waiting = [...wanted].filter(([key]) => !known.has(key))
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [key, { pattern, flags }] = next
      known.set(key, flags === null ? 'is made at run time' : await verdictOf(pattern, flags))
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  if (process.argv.includes('--write')) writeVerdicts([...known].filter(([key]) => wanted.has(key)))
  return known
}

async function verdictOf(pattern, flags) {
  const { status, complexity, attack } = await check(pattern, flags, { timeout: TIMEOUT_MS })
  if (status === 'safe') return 'linear'
  if (status === 'unknown') return 'not judged'
  if (!isSlow(pattern, flags, attack.string)) return 'linear'
  return `is ${complexity.summary}, for example ${attack.pattern.slice(0, 120)}`
}

/**
 * Runs the attack string in V8, because the checker counts steps of its own engine and reports some patterns that V8
 * matches quickly. Attack strings have about fifty thousand characters: a linear match takes a few milliseconds, a
 * quadratic one more than a second.
 */
function isSlow(pattern, flags, attack) {
  const read = new Script(`for (const _ of text.matchAll(new RegExp(pattern, flags))) {}`)
  const context = createContext({ text: attack, pattern, flags: [...new Set(`${flags}g`)].join('') })
  const started = process.cpuUsage()
  try {
    read.runInContext(context, { timeout: 10 * SLOW_MS })
  } catch (error) {
    if (error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return true
    throw error
  }
  return process.cpuUsage(started).user > SLOW_MS * 1000
}

/**
 * Reads the stored verdicts: the checker's version on the first line, then one verdict per line, so that
 * changes to different patterns cause no merge conflicts.
 */
function readVerdicts() {
  const [judge, ...verdicts] = readFileSync(VERDICTS, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return new Map(judge.recheck === VERSION ? verdicts : [])
}

function writeVerdicts(verdicts) {
  const lines = verdicts.map((verdict) => JSON.stringify(verdict)).sort()
  writeFileSync(VERDICTS, `${[JSON.stringify({ recheck: VERSION }), ...lines].join('\n')}\n`)
}
