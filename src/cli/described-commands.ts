/** Generated descriptions of all commands, written by `npm run reference`, so that help loads no command. */

import { readFileSync } from 'node:fs'
import { sourceFile } from '../base/files/program-files.ts'
import type { Command, CommandDescription } from './command.ts'

export const DESCRIBED_FILE = sourceFile('cli/described-commands.json')

export function describedCommands(): readonly CommandDescription[] {
  return JSON.parse(readFileSync(DESCRIBED_FILE, 'utf8'))
}

export function describeCommands(commands: readonly Command[]): string {
  const described = commands.map(({ run: _, ...description }): CommandDescription => description)
  return `${JSON.stringify(described, null, 2)}\n`
}
