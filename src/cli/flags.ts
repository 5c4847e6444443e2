/** Parsing of the arguments of a command: flags and positional arguments. */
import { parseArgs } from 'node:util'
import { closestName } from '../base/text/closest-name.ts'
import { type CommandDescription, type Flag, UsageError } from './command.ts'

export const COMMON_FLAGS: Record<string, Flag> = {
  json: { help: 'Print the result as JSON on standard output.' },
  help: { help: 'Print help for the command.' },
}

export function readArguments(command: CommandDescription, args: readonly string[]) {
  const flags = listFlags(command)
  const parsed = parse(flags, args)
  if (parsed.values.help === true) return { ...parsed, isHelp: true }
  const names = command.positionals ?? []
  const missing = names.slice(parsed.positionals.length)
  if (missing.length > 0) throw new UsageError(`Missing: ${missing.map((name) => `<${name}>`).join(' ')}.`)
  const maxPositionals = names.length + (command.optional?.length ?? 0)
  if (parsed.positionals.length > maxPositionals)
    throw new UsageError(`Unexpected argument: ${parsed.positionals.slice(maxPositionals).join(' ')}.`)
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

export function parseWholeNumber(name: string, text: string, max: number): number {
  const number = /^\d{1,7}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > max) throw new UsageError(`--${name} must be a whole number from 1 to ${max}.`)
  return number
}

export function listFlags(command: CommandDescription): Readonly<Record<string, Flag>> {
  return { ...command.flags, ...COMMON_FLAGS }
}
