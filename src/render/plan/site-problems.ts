/** Collects all problems of a site after rendering. */
import type { Problem } from '../../base/errors/problem.ts'
import { iconProblems } from '../icons/icon-problems.ts'
import { externalServices } from '../outputs/outside-services.ts'
import { hasAssistant } from '../outputs/platform-file.ts'
import { checkSamples } from '../samples/check-samples.ts'
import { colourHints } from '../theme/colour-hints.ts'
import { anchorProblems } from './check-anchors.ts'
import { externalServiceProblem, gatherProblems } from './render-problems.ts'
import type { PlannedPage, RenderScope } from './render-scope.ts'

const SERVER_OPTIONS = ['mcp', 'add-mcp', 'cursor', 'vscode', 'devin-mcp']

const CHAT_OPTIONS = 'chatgpt claude perplexity grok aistudio devin devin-desktop windsurf'.split(' ')

/** `found` contains the problems collected during rendering. */
export async function siteProblems(
  { deps, input, names, icons, isCheck }: RenderScope,
  planned: readonly PlannedPage[],
  found: readonly (readonly Problem[])[],
): Promise<Problem[]> {
  const { problems, config } = input.site
  const pages = planned.map(({ page, facts }) => ({ page, anchors: facts.anchors }))
  return gatherProblems([
    problems,
    names.problems,
    planned.flatMap(({ facts }) => facts.problems),
    externalServices(config).map(externalServiceProblem),
    await anchorProblems({ ...input, pages }),
    await iconProblems(input, icons.missing()),
    colourHints(config),
    await checkSamples(
      planned.flatMap(({ facts }) => facts.samples),
      input.site.apis,
      deps.sampleRunner ?? null,
    ),
    // The deployment is unknown during a check.
    isCheck ? [] : findOmittedMenuEntries(input),
    ...found,
  ])
}

/** Reports menu entries that the deployment omits, once per site. */
function findOmittedMenuEntries(input: RenderScope['input']): Problem[] {
  const { deployment, origin, site } = input
  const named = (site.config.contextual?.options ?? []).filter((option) => typeof option === 'string')
  const isHosted = deployment === 'cloud'
  const hint = (leftOut: readonly string[], reason: string, remedy: string): Problem[] => {
    const entries = named.filter((option) => leftOut.includes(option))
    if (entries.length === 0) return []
    const message = `The page menu does not show ${entries.join(', ')} here: ${reason}.`
    return [{ file: 'docs.json', line: null, code: 'menu.left_out', level: 'hint', message, remedy }]
  }
  return [
    ...(isHosted
      ? []
      : hint(
          SERVER_OPTIONS,
          'static sites have no MCP server',
          'No action is needed. Hosted sites show these entries.',
        )),
    ...(isHosted || hasAssistant(input)
      ? []
      : hint(
          ['assistant'],
          'this deployment has no assistant',
          'Export with the assistant, or remove the entry.',
        )),
    ...(deployment === 'client-hosted' && origin === null
      ? hint(
          CHAT_OPTIONS,
          'the URL of the site is unknown',
          'Set seo.metatags.canonical in docs.json, or build with --url.',
        )
      : []),
  ]
}
