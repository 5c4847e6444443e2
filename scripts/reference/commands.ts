/** Generates the page of all commands from the table that the argument parser uses. */
import { allCommands } from '../../src/cli/commands.ts'
import { type HelpCommand, type HelpFlag, helpDocument } from '../../src/cli/help.ts'
import { inCell, page, table } from './markdown.ts'

export async function commandsPage(): Promise<string> {
  const { groups, flags } = helpDocument(await allCommands())
  const sections = groups.map(
    ({ title, needs, commands }) =>
      `## ${inCell(title)}\n\n${inCell(needs)}\n\n${commands.map(commandSection).join('\n')}`,
  )
  return page(
    {
      title: 'Commands',
      description: 'Every command with its arguments and flags.',
      icon: 'square-terminal',
    },
    `[Command line](/reference/cli) says what holds for all of them. Every command takes these:\n\n${flagTable(flags)}\n${sections.join('\n')}`,
  )
}

function commandSection({ name, summary, positionals, optional, flags }: HelpCommand): string {
  const call = ['octavo', name, ...positionals.map((one) => `<${one}>`), ...optional.map((one) => `[${one}]`)]
  const rows = flags.length === 0 ? '' : `\n${flagTable(flags)}`
  return `### octavo ${name}\n\n\`${call.join(' ')}\`\n\n${inCell(summary)}\n${rows}`
}

function flagTable(flags: readonly HelpFlag[]): string {
  const rows = flags.map(({ name, value, help, required }) => [
    `\`--${name}${value === null ? '' : ` <${value.replaceAll('|', '\\|')}>`}\``,
    `${inCell(help)}${required ? ' Required.' : ''}`,
  ])
  return table(['Flag', 'Meaning'], rows)
}
