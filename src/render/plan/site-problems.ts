/** Collects all problems of a rendered site. */
import type { Problem } from '../../base/errors/problem.ts'
import { iconProblems } from '../icons/icon-problems.ts'
import { hasAssistant } from '../outputs/assistant-files.ts'
import { keptServices } from '../outputs/outside-services.ts'
import { colourHints } from '../theme/colour-hints.ts'
import { anchorProblems } from './check-anchors.ts'
import { gatherProblems, keptServiceProblem } from './render-problems.ts'
import type { PlannedPage, RenderScope } from './render-scope.ts'

const SERVER_OPTIONS = ['mcp', 'add-mcp', 'cursor', 'vscode', 'devin-mcp']

const CHAT_OPTIONS = 'chatgpt claude perplexity grok aistudio devin devin-desktop windsurf'.split(' ')

/** `found` are the problems collected during the render. */
export async function siteProblems(
  { input, names, icons, isCheck }: RenderScope,
  planned: readonly PlannedPage[],
  found: readonly (readonly Problem[])[],
): Promise<Problem[]> {
  const { problems, config } = input.site
  const pages = planned.map(({ page, facts }) => ({ page, anchors: facts.anchors }))
  return gatherProblems([
    problems,
    names.problems,
    planned.flatMap(({ facts }) => facts.problems),
    keptServices(config).map(keptServiceProblem),
    await anchorProblems({ ...input, pages }),
    await iconProblems(input, icons.missing()),
    colourHints(config),
    // During a check, the deployment is unknown.
    isCheck ? [] : menuHints(input),
    ...found,
  ])
}

/** Reports menu entries that the deployment leaves out, once per site. */
function menuHints(input: RenderScope['input']): Problem[] {
  const { deployment, origin, site } = input
  const named = (site.config.contextual?.options ?? []).filter((option) => typeof option === 'string')
  const isHosted = deployment === 'cloud'
  const hint = (leftOut: readonly string[], reason: string, remedy: string): Problem[] => {
    const entries = named.filter((option) => leftOut.includes(option))
    if (entries.length === 0) return []
    const message = `The menu of pages has no ${entries.join(', ')} here: ${reason}.`
    return [{ file: 'docs.json', line: null, code: 'menu.left_out', level: 'hint', message, remedy }]
  }
  return [
    ...(isHosted
      ? []
      : hint(
          SERVER_OPTIONS,
          'a folder of files has no MCP server',
          'Nothing needs to be done: hosted sites show them.',
        )),
    ...(isHosted || hasAssistant(input)
      ? []
      : hint(['assistant'], 'nobody answers questions', 'Export with the assistant, or remove the entry.')),
    ...(deployment === 'client-hosted' && origin === null
      ? hint(
          CHAT_OPTIONS,
          'the address of the site is not known',
          'Set seo.metatags.canonical in docs.json, or build with --url.',
        )
      : []),
  ]
}
