/** All problems of a site that was rendered. */
import type { Problem } from '../../base/errors/problem.ts'
import { iconProblems } from '../icons/icon-problems.ts'
import { keptServices } from '../outputs/outside-services.ts'
import { colourHints } from '../theme/colour-hints.ts'
import { anchorProblems } from './check-anchors.ts'
import { menuHints } from './menu-hints.ts'
import { gatherProblems, keptServiceProblem } from './render-problems.ts'
import type { PlannedPage, RenderScope } from './render-scope.ts'

/** `found`: what was found missing or wrong on the way. */
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
    // A check does not know where the site will be read.
    isCheck ? [] : menuHints(input),
    ...found,
  ])
}
