/**
 * Definition of commands and their output. Arguments are parsed in flags.ts; main.ts selects the command and
 * sets the exit code.
 */
import { table } from './table.ts'

export type WorksOn = 'site' | 'node' | 'api' | 'data'

export interface CommandDescription {
  /** Words that invoke the command: `export`, `keys create`. */
  name: string
  summary: string
  worksOn: WorksOn
  positionals?: readonly string[]
  optional?: readonly string[]
  flags: Readonly<Record<string, Flag>>
}

export interface Command extends CommandDescription {
  /** Resolves with the exit code. */
  run(input: CommandInput): Promise<number>
}

export interface Flag {
  value?: string
  help: string
  isRequired?: true
}

export interface CommandInput {
  positionals: readonly string[]
  flag(name: string): string | undefined
  has(name: string): boolean
  print: Printer
}

/** Prints results to standard output and everything else to standard error. */
export interface Printer {
  isJson: boolean
  /** Prints the result: one JSON document with `--json`, otherwise the lines. */
  result(document: unknown, lines: readonly string[]): void
  /** Prints a result that is a list: `empty`, or aligned rows below the names of their columns. */
  list(
    document: unknown,
    columns: readonly string[],
    rows: readonly (readonly string[])[],
    empty: string,
  ): void
  document(document: unknown): void
  note(line: string): void
}

/** Invalid command line; exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export function createPrinter(isJson: boolean): Printer {
  const printDocument = (document: unknown) => void process.stdout.write(`${JSON.stringify(document)}\n`)
  const result: Printer['result'] = (document, lines) => {
    if (isJson) printDocument(document)
    else process.stdout.write(lines.map((line) => `${line}\n`).join(''))
  }
  return {
    isJson,
    result,
    list: (document, columns, rows, empty) =>
      result(document, rows.length === 0 ? [empty] : table([columns, ...rows])),
    document: printDocument,
    note(line) {
      process.stderr.write(`${line}\n`)
    },
  }
}
