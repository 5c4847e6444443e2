/**
 * Entry point of the command line: finds the command, parses its arguments, runs it, and turns errors into messages.
 * Loads no command before it runs.
 */
import { readParentPid } from '../app/operator/caller.ts'
import { resolveProgramCommand } from '../app/operator/program-call.ts'
import { PROGRAM_VERSION } from '../app/version.ts'
import { closestName } from '../base/text/closest-name.ts'
import { ApiError } from '../client/call.ts'
import { type CommandDescription, createPrinter, UsageError } from './command.ts'
import { loadCommand } from './commands.ts'
import { describedCommands } from './described-commands.ts'
import { readArguments } from './flags.ts'
import { explain, explainGroup, helpDocument, overview } from './help.ts'
import { oneLine } from './one-line.ts'
import { isOperatorError } from './operator-error.ts'
import { exitWithParent, StoppedError } from './stop-signal.ts'

const described = describedCommands()
/** Exit code for internal failures; 1 means that something is wrong with the input. */
const INTERNAL_ERROR_EXIT_CODE = 3

const parent = readParentPid()
if (parent !== null) exitWithParent(parent)
process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  const [word = 'help', ...rest] = args
  if (word === '--version' || word === '-v' || word === 'version') return printText(`${PROGRAM_VERSION}\n`)
  if (word === '--help' || word === '-h' || word === 'help') return help(rest)
  const known = findCommands(word)
  const command = known.find((candidate) => matchesCommand(candidate, args))
  if (command) return await run(command, args.slice(command.name.split(' ').length))
  if (known.length > 0 && rest[0] === '--help') return printText(explainGroup(word, known))
  process.stderr.write(describeUnknownCommand(args, known))
  return 2
}

function help(words: readonly string[]): number {
  if (words.includes('--json')) return printText(`${JSON.stringify(helpDocument(described))}\n`)
  const [word] = words
  if (word === undefined) return printText(overview(described))
  const known = findCommands(word)
  const command = known.find((candidate) => matchesCommand(candidate, words))
  if (command) return printText(explain(command))
  if (known.length > 0 && words.length === 1) return printText(explainGroup(word, known))
  process.stderr.write(describeUnknownCommand(words, known))
  return 2
}

function describeUnknownCommand(args: readonly string[], known: readonly CommandDescription[]): string {
  const [word = '', second] = args
  const isGroup = known.length > 0
  if (isGroup && (second === undefined || second.startsWith('-'))) return explainGroup(word, known)
  const given = isGroup ? `${word} ${second}` : word
  const suggestion = isGroup
    ? closestName(
        given,
        known.map(({ name }) => name),
      )
    : suggestCommand(args)
  const hint =
    suggestion === null
      ? `See: ${resolveProgramCommand()} --help`
      : `Did you mean: ${resolveProgramCommand()} ${suggestion}`
  return `There is no command "${oneLine(given)}". ${hint}\n${isGroup ? `\n${explainGroup(word, known)}` : ''}`
}

/** Suggests a command by its first word or by both words: `project list`, `key create`, `listkeys`. */
function suggestCommand([word = '', second]: readonly string[]): string | null {
  const group = closestName(word, [...new Set(described.map(firstWord))])
  const names = group === null ? [] : findCommands(group).map(({ name }) => name)
  if (group === null || names.includes(group)) return group
  return second === undefined
    ? `${group} --help`
    : (closestName(`${group} ${second}`, names) ?? `${group} --help`)
}

function printText(text: string): 0 {
  process.stdout.write(text)
  return 0
}

function findCommands(word: string): readonly CommandDescription[] {
  return described.filter((command) => firstWord(command) === word)
}

function firstWord({ name }: CommandDescription): string {
  return name.split(' ', 1)[0] as string
}

function matchesCommand(command: CommandDescription, args: readonly string[]): boolean {
  return command.name.split(' ').every((word, index) => args[index] === word)
}

async function run(command: CommandDescription, args: readonly string[]): Promise<number> {
  try {
    const { values, positionals, isHelp } = readArguments(command, args)
    if (isHelp) return printText(explain(command))
    // Files of a server must be accessible only to the user who runs it; child processes inherit this.
    if (command.worksOn === 'node' || command.worksOn === 'data') process.umask(0o077)
    // A folder of pages may be untrusted, so only server commands read settings from it.
    if (command.worksOn !== 'site') (await import('../app/config/config.ts')).loadDotEnv(process.cwd())
    const { run } = await loadCommand(command.name)
    return await run({
      positionals,
      flag: (name) => values[name] as string | undefined,
      has: (name) => values[name] === true,
      print: createPrinter(values.json === true),
    })
  } catch (error) {
    return report(command, error)
  }
}

/** Prints errors that the operator can fix as one sentence, and unexpected errors with their stack. */
function report(command: CommandDescription, error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message} See: ${resolveProgramCommand()} ${command.name} --help\n`)
    return 2
  }
  if (error instanceof StoppedError) {
    process.stderr.write(`${error.message}\n`)
    return error.exitCode
  }
  if (error instanceof ApiError) {
    const lines = [error.message, ...error.details.map(({ message }) => `  - ${message}`)]
    if (error.requestId !== null) lines.push(`Request id: ${error.requestId}`)
    process.stderr.write(`${lines.join('\n')}\n`)
    return 1
  }
  if (error instanceof Error && error.name === 'MachineryError') {
    process.stderr.write(`${error.message}\n${formatCause(error)}`)
    return INTERNAL_ERROR_EXIT_CODE
  }
  if (error instanceof Error && isOperatorError(error)) process.stderr.write(`${error.message}\n`)
  else process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  return 1
}

function formatCause({ cause }: Error): string {
  return cause === undefined ? '' : `${oneLine(cause instanceof Error ? cause.message : String(cause))}\n`
}
