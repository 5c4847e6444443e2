/**
 * Finds gaps in a translation of the dashboard: `node scripts/dashboard-words.ts de` prints missing messages,
 * obsolete messages, and messages whose values differ. `--write` removes obsolete messages and adds missing ones as
 * empty texts, in source order. With a folder instead of a language, it prints texts below that folder that are not
 * messages.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { catalogFaults, type Message, readMessages, WORDS_FOLDER } from '../tests/kit/dashboard-messages.ts'

const [what = '', ...flags] = process.argv.slice(2)
const { messages, faults } = readMessages()
if (/^[a-z]{2}$/.test(what)) {
  const file = join(import.meta.dirname, '..', WORDS_FOLDER, `${what}.json`)
  const catalog: Record<string, unknown> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const found = catalogFaults(what, catalog, messages)
  if (flags.includes('--write')) writeFileSync(file, `${JSON.stringify(ordered(what, catalog), null, 2)}\n`)
  console.log([...found, `${messages.length} messages, ${found.length} to be looked at`].join('\n'))
} else console.log(faults.filter((fault) => fault.includes(what)).join('\n'))

function ordered(tag: string, catalog: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    messages.map((message) => [message.key, catalog[message.key] ?? emptyForms(tag, message)]),
  )
}

function emptyForms(tag: string, { isPlural }: Message): unknown {
  const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories
  if (!isPlural || categories.length === 1) return ''
  return Object.fromEntries(
    categories.filter((category) => category !== 'many').map((category) => [category, '']),
  )
}
