/** Help texts: the overview, single commands, and all commands as JSON. */
import { resolveProgramCommand } from '../app/operator/program-call.ts'
import { PROGRAM_VERSION } from '../app/version.ts'
import type { CommandDescription, WorksOn } from './command.ts'
import { COMMON_FLAGS, listFlags } from './flags.ts'

const GROUPS: Readonly<Record<WorksOn, { title: string; needs: string }>> = {
  site: {
    title: 'Write a site',
    needs: 'A folder of docs.json and MDX; no server.',
  },
  node: {
    title: 'Run Octavo',
    needs: 'Only this machine.',
  },
  api: {
    title: 'Use a server, from anywhere',
    needs:
      "Its URL and an admin key: OCTAVO_URL and OCTAVO_KEY, or --url and --key. Not needed on the server's machine.",
  },
  data: {
    title: 'Administer a server, on its machine',
    needs: 'Its data folder: OCTAVO_DATA, ./.octavo, or the folder of the running server.',
  },
}

export function overview(commands: readonly CommandDescription[]): string {
  const call = resolveProgramCommand()
  const width = Math.max(...commands.map((command) => formatCommandUsage(command).length)) + 2
  const groups = Object.entries(GROUPS).flatMap(([worksOn, { title, needs }]) => [
    `${title}`,
    `  ${needs}`,
    '',
    ...commands
      .filter((command) => command.worksOn === worksOn)
      .map((command) => `  ${formatCommandUsage(command).padEnd(width)}${command.summary}`),
    '',
  ])
  return [
    `${call} <command> [flags]`,
    '',
    ...groups,
    `${call} <command> --help prints help for a command. --json prints the result as JSON on standard output.`,
    `${call} --version prints the version, ${call} help --json this help as JSON.`,
    '',
  ].join('\n')
}

export function explainGroup(word: string, commands: readonly CommandDescription[]): string {
  const width = Math.max(...commands.map((command) => formatCommandUsage(command).length)) + 2
  const call = resolveProgramCommand()
  return [
    `${call} ${word} <command> [flags]`,
    '',
    ...commands.map((command) => `  ${formatCommandUsage(command).padEnd(width)}${command.summary}`),
    '',
    `${call} ${word} <command> --help prints help for a command.`,
    '',
  ].join('\n')
}

export function explain(command: CommandDescription): string {
  const rows = Object.entries(listFlags(command)).map(
    ([name, flag]) => [`--${name}${flag.value ? ` <${flag.value}>` : ''}`, flag.help] as const,
  )
  const width = Math.max(...rows.map(([left]) => left.length)) + 2
  return [
    `${resolveProgramCommand()} ${formatCommandUsage(command)} [flags]`,
    '',
    command.summary,
    `Needs: ${GROUPS[command.worksOn].needs}`,
    '',
    ...rows.map(([left, help]) => `  ${left.padEnd(width)}${help}`),
    '',
  ].join('\n')
}

/** Output of `octavo help --json`, from which the reference page is generated. */
export interface HelpDocument {
  version: string
  flags: HelpFlag[]
  groups: { id: WorksOn; title: string; needs: string; commands: HelpCommand[] }[]
}

export interface HelpCommand {
  name: string
  summary: string
  positionals: string[]
  optional: string[]
  flags: HelpFlag[]
}

export interface HelpFlag {
  name: string
  value: string | null
  help: string
  required: boolean
}

export function helpDocument(commands: readonly CommandDescription[]): HelpDocument {
  return {
    version: PROGRAM_VERSION,
    flags: helpFlags(COMMON_FLAGS),
    groups: Object.entries(GROUPS).map(([id, group]) => ({
      id: id as WorksOn,
      ...group,
      commands: commands
        .filter(({ worksOn }) => worksOn === id)
        .map(({ name, summary, positionals = [], optional = [], flags }) => ({
          name,
          summary,
          positionals: [...positionals],
          optional: [...optional],
          flags: helpFlags(flags),
        })),
    })),
  }
}

function helpFlags(flags: CommandDescription['flags']): HelpFlag[] {
  return Object.entries(flags).map(([name, { value = null, help, isRequired = false }]) => ({
    name,
    value,
    help,
    required: isRequired,
  }))
}

function formatCommandUsage({ name, positionals = [], optional = [] }: CommandDescription): string {
  const words = [...positionals.map((word) => `<${word}>`), ...optional.map((word) => `[${word}]`)]
  return [name, ...words].join(' ')
}
