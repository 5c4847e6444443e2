/** Entries of the menu beside the title that a deployment leaves out, told once for a site. */
import type { Problem } from '../../base/errors/problem.ts'
import { hasAssistant } from '../outputs/assistant-files.ts'
import type { RenderScope } from './render-scope.ts'

const OF_THE_SERVER = ['mcp', 'add-mcp', 'cursor', 'vscode', 'devin-mcp']
const CHATS = 'chatgpt claude perplexity grok aistudio devin devin-desktop windsurf'.split(' ')

export function menuHints(input: RenderScope['input']): Problem[] {
  const { deployment, origin, site } = input
  const named = (site.config.contextual?.options ?? []).filter((option) => typeof option === 'string')
  const isHosted = deployment === 'cloud'
  const hint = (left: readonly string[], why: string, remedy: string): Problem[] => {
    const entries = named.filter((option) => left.includes(option))
    if (entries.length === 0) return []
    const message = `The menu of pages has no ${entries.join(', ')} here: ${why}.`
    return [{ file: 'docs.json', line: null, code: 'menu.left_out', level: 'hint', message, remedy }]
  }
  return [
    ...(isHosted
      ? []
      : hint(
          OF_THE_SERVER,
          'a folder of files has no MCP server',
          'Nothing needs to be done: hosted sites show them.',
        )),
    ...(isHosted || hasAssistant(input)
      ? []
      : hint(['assistant'], 'nobody answers questions', 'Export with the assistant, or remove the entry.')),
    ...(deployment === 'client-hosted' && origin === null
      ? hint(
          CHATS,
          'the address of the site is not known',
          'Set seo.metatags.canonical in docs.json, or build with --url.',
        )
      : []),
  ]
}
