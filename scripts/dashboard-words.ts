/**
 * What is to be done so that the dashboard speaks a language whole: `node scripts/dashboard-words.ts de` prints the
 * messages that its file lacks, those that are none any more, and those whose values differ; `--write` takes the second
 * out and puts the first in, in the order of the sources, as empty texts to fill in. With a folder in the place of the
 * language it prints texts below it that are no messages.
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
