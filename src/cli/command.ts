/**
 * Definition of commands, and parsing of their arguments. For the selection of a command and exit codes, see main.ts.
 */
import { parseArgs } from 'node:util'
import { closestName } from '../base/text/closest-name.ts'

/** Subject of a command, which determines its requirements: see help.ts. */
export type WorksOn = 'site' | 'node' | 'api' | 'data'

/** Description of a command, used for help and for parsing its arguments. */
export interface CommandDescription {
  /** Words that invoke the command: `export`, `keys create`. */
  name: string
  /** One line for the list of commands. */
  summary: string
  worksOn: WorksOn
  /** Names of required positional arguments. */
  positionals?: readonly string[]
  /** Names of optional positional arguments. */
  optional?: readonly string[]
  flags: Readonly<Record<string, Flag>>
}

export interface Command extends CommandDescription {
  /** Resolves with the exit code. */
  run(input: CommandInput): Promise<number>
}

export interface Flag {
  /** Placeholder of the value; absent for a boolean flag. */
  value?: string
  help: string
  isRequired?: true
}

export interface CommandInput {
  positionals: readonly string[]
  /** Returns the value of a flag; undefined if it was not given. */
  flag(name: string): string | undefined
  /** Returns whether a boolean flag was given. */
  has(name: string): boolean
  print: Printer
}

/** Prints results to standard output and everything else to standard error. */
export interface Printer {
  isJson: boolean
  /** Prints the result: one JSON document with `--json`, otherwise the lines. */
  result(document: unknown, lines: readonly string[]): void
  /** Prints a result that is always a JSON document. */
  document(document: unknown): void
  /** Prints progress and remarks. */
  note(line: string): void
}

/** Invalid command line; exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export const COMMON_FLAGS: Record<string, Flag> = {
  json: { help: 'Print one JSON document on standard output.' },
  help: { help: 'Explain the command.' },
}

/** Parses the arguments of a command. Throws UsageError. */
export function readArguments(command: CommandDescription, args: readonly string[]) {
  const flags = listFlags(command)
  const parsed = parse(flags, args)
  if (parsed.values.help === true) return { ...parsed, isHelp: true }
  const names = command.positionals ?? []
  const missing = names.slice(parsed.positionals.length)
  if (missing.length > 0) throw new UsageError(`Missing: ${missing.map((name) => `<${name}>`).join(' ')}.`)
  const maxPositionals = names.length + (command.optional?.length ?? 0)
  if (parsed.positionals.length > maxPositionals)
    throw new UsageError(`Not understood: ${parsed.positionals.slice(maxPositionals).join(' ')}.`)
  const absent = Object.keys(command.flags).filter(
    (name) => command.flags[name]?.isRequired && parsed.values[name] === undefined,
  )
  if (absent.length > 0) throw new UsageError(`Missing: ${absent.map((name) => `--${name}`).join(', ')}.`)
  return { ...parsed, isHelp: false }
}

function parse(flags: Readonly<Record<string, Flag>>, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [name, { type: flag.value ? 'string' : 'boolean' } as const]),
  )
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}.${suggestFlag(flags, error as Error)}`)
  }
}

function suggestFlag(flags: Readonly<Record<string, Flag>>, { message }: Error): string {
  const unknown = /^Unknown option '--([^']*)'/.exec(message)?.[1]
  const suggestion = unknown === undefined ? null : closestName(unknown, Object.keys(flags))
  return suggestion === null ? '' : ` Did you mean --${suggestion}?`
}

export function listFlags(command: CommandDescription): Readonly<Record<string, Flag>> {
  return { ...command.flags, ...COMMON_FLAGS }
}

export function createPrinter(isJson: boolean): Printer {
  const printDocument = (document: unknown) => void process.stdout.write(`${JSON.stringify(document)}\n`)
  return {
    isJson,
    result(document, lines) {
      if (isJson) printDocument(document)
      else process.stdout.write(lines.map((line) => `${line}\n`).join(''))
    },
    document: printDocument,
    note(line) {
      process.stderr.write(`${line}\n`)
    },
  }
}
