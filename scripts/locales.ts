/**
 * Finds gaps in the translations: `node scripts/locales.ts de` prints missing and obsolete messages of each file, and
 * messages whose values differ. `--write` removes obsolete messages and adds missing ones as empty texts, in source
 * order. Given a folder instead of a language, prints the texts in that folder that are not messages.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { catalogFaults, localeFile, readMessages, SECTIONS } from '../tests/kit/locales.ts'

const [language = '', ...flags] = process.argv.slice(2)
if (!/^[a-z]{2}(?:-[a-z]+)?$/.test(language)) {
  const { faults } = readMessages()
  console.log(faults.filter((fault) => fault.includes(language)).join('\n'))
} else
  for (const [section, list] of Object.entries(SECTIONS)) {
    const file = localeFile(language, section)
    if (!existsSync(file) && !flags.includes('--write')) continue
    const messages = list()
    const catalog: Record<string, unknown> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
    const ordered = Object.fromEntries(messages.map(({ key }) => [key, catalog[key] ?? '']))
    mkdirSync(dirname(file), { recursive: true })
    if (flags.includes('--write')) writeFileSync(file, `${JSON.stringify(ordered, null, 2)}\n`)
    const found = catalogFaults(language, catalog, messages)
    console.log([...found, `${section}: ${messages.length} messages, ${found.length} to check`].join('\n'))
  }
