import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { allCommands } from './commands.ts'
import { DESCRIBED_FILE, describeCommands } from './described-commands.ts'

test('the committed command descriptions match the commands', async () => {
  const written = await readFile(DESCRIBED_FILE, 'utf8')
  assert.ok(written === describeCommands(await allCommands()), 'run: npm run reference')
})
