/** Writes what of the documentation is made from the program. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { referencePages } from './pages.ts'

const docs = join(import.meta.dirname, '..', '..', 'docs')

for (const [path, text] of await referencePages()) {
  const file = join(docs, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  process.stdout.write(`docs/${path}\n`)
}
