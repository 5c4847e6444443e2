/** What a command is, and how its arguments are read and explained. */
import { parseArgs } from 'node:util'

export interface Command {
  /** The words that call it: `export`, `keys create`. */
  name: string
  /** One line for the list of commands. */
  summary: string
  /** Names of positional arguments; all required. */
  positionals?: readonly string[]
  flags: Readonly<Record<string, Flag>>
  /** Resolves with the exit code. */
  run(input: CommandInput): Promise<number>
}

export interface Flag {
  /** Placeholder of the value; absent for a switch. */
  value?: string
  help: string
  isRequired?: true
}

export interface CommandInput {
  positionals: readonly string[]
  /** Value of a flag; undefined when it was not given. */
  flag(name: string): string | undefined
  /** Whether a switch was given. */
  has(name: string): boolean
  print: Printer
}

/** Results go to standard output, everything else to standard error. */
export interface Printer {
  isJson: boolean
  /** The result: one JSON document with `--json`, else the lines. */
  result(document: unknown, lines: readonly string[]): void
  /** A result that is one JSON document, with `--json` or not. */
  document(document: unknown): void
  /** Progress and remarks. */
  note(line: string): void
}

/** The command line was not understood; exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

const COMMON: Record<string, Flag> = {
  json: { help: 'Print one JSON document on standard output.' },
  help: { help: 'Explain the command.' },
}

/** Throws UsageError. */
export function readArguments(command: Command, args: readonly string[]) {
  const flags = { ...command.flags, ...COMMON }
  const parsed = parse(flags, args)
  if (parsed.values.help === true) return { ...parsed, isHelp: true }
  const names = command.positionals ?? []
  const missing = names.slice(parsed.positionals.length)
  if (missing.length > 0) throw new UsageError(`Missing: ${missing.map((name) => `<${name}>`).join(' ')}.`)
  if (parsed.positionals.length > names.length)
    throw new UsageError(`Not understood: ${parsed.positionals.slice(names.length).join(' ')}.`)
  const absent = Object.keys(command.flags).filter(
    (name) => command.flags[name]?.isRequired && parsed.values[name] === undefined,
  )
  if (absent.length > 0) throw new UsageError(`Missing: ${absent.map((name) => `--${name}`).join(', ')}.`)
  return { ...parsed, isHelp: false }
}

function parse(flags: Record<string, Flag>, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [name, { type: flag.value ? 'string' : 'boolean' } as const]),
  )
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}.`)
  }
}

/** The text of `octavo <command> --help`. */
export function explain(command: Command): string {
  const positionals = (command.positionals ?? []).map((name) => ` <${name}>`).join('')
  const rows = Object.entries({ ...command.flags, ...COMMON }).map(
    ([name, flag]) => [`--${name}${flag.value ? ` <${flag.value}>` : ''}`, flag.help] as const,
  )
  const width = Math.max(...rows.map(([left]) => left.length)) + 2
  return [
    `octavo ${command.name}${positionals} [flags]`,
    '',
    command.summary,
    '',
    ...rows.map(([left, help]) => `  ${left.padEnd(width)}${help}`),
    '',
  ].join('\n')
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
