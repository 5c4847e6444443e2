/** check: reports problems caused by the change, with the same check that runs before publishing. */
import { Type } from 'typebox'
import { formatProblems } from '../check/format-problems.ts'
import { defineTool } from '../loop/define-tool.ts'
import { plural } from '../loop/result-text.ts'

export const check = defineTool({
  name: 'check',
  description:
    'Loads the site with your changes and lists the problems that they cause: pages that do not compile; broken links, images and heading links; errors in docs.json; new pages without a title, a description or a navigation entry; removed pages without a redirect; wording that violates the prose rules or the terms of the site. Problems that existed before are not listed. Nothing is published until all listed problems are fixed.',
  input: Type.Object({}, { additionalProperties: false }),
  run: async (context) => {
    if (context.workspace.changes.size === 0) return 'Nothing is changed, so there is nothing to check.'
    const problems = await context.findNewProblems(context.signal)
    if (problems.length === 0) return 'The change causes no problems.'
    return `The change causes ${plural(problems.length, 'problem')}:\n${formatProblems(problems)}`
  },
})
