/** Writes the generated parts of the documentation and of the command help. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { allCommands } from '../../src/cli/commands.ts'
import { DESCRIBED_FILE, describeCommands } from '../../src/cli/described-commands.ts'
import { referencePages } from './pages.ts'
import { madeSources } from './sources.ts'

const docs = join(import.meta.dirname, '..', '..', 'docs')

for (const [file, text] of await madeSources()) await writeFile(file, text)
await writeFile(DESCRIBED_FILE, describeCommands(await allCommands()))
for (const [path, text] of await referencePages()) {
  const file = join(docs, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  process.stdout.write(`docs/${path}\n`)
}
